// Package console turns the events of a host into what a person reads, line by line, and into JSON lines for
// programs.
//
// A Console is a pure machine: events and times go in, text gathers, and Flush writes it out. It starts no goroutine,
// asks no clock and blocks on nothing but the writer that Flush is given, so whoever drives it decides what is shown
// when, and how long it may wait.
//
// # A line
//
//	db       | a line of output; on a terminal the bar of stderr is red
//	api      ▸ it started
//	api      ✓ it is ready, or it finished well
//	api      ✗ it failed
//	api      ▪ it was stopped or killed
//	api      * a line met one of its log matchers
//	api      : what else a hook had to say
//	api      = the core's own line, beside the words of a hook
//	         ↻ the recipe was loaded
//	         ! something is wrong beside the processes
//
// Where a name stands the line is about that process; the others are about the host. The column of the symbol belongs
// to this package alone: neither a process nor a hook can write a line that looks like one of another kind. What asks
// for attention is bold, what only informs is dim. Without colours it is the same text, without one escape sequence.
//
// # Order and loss
//
// Lines come in the order of the events. An end that is told appears once, in the words of its notification, which
// follows its event closely; only an end of which no notification comes within tellWithin is shown by itself, so that
// none is missing.
package console
