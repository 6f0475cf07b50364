// Package proc holds the values that describe a process: what to run (Spec), what is true of it
// (Info, Status), how it ended (End) and what is told about it (Event). It runs nothing and decides
// nothing; every other package may import it.
//
// # What can be relied on
//
// An End can only be built by its constructors, so a contradiction such as "code 0 and SIGKILL" or
// "failed with code 0" cannot be written. Whether somebody asked for an end is a field of Ended, filled
// by the goroutine that owns the process; there is no table of marks beside it.
//
// Of one instance the events come in this order: Started (not for a process that never ran), any
// number of Changed, then at most one Ended. Everything that the process wrote precedes Ended. There is
// no Ended for a process whose stop timed out and that died later by itself; a Changed tells of that.
package proc
