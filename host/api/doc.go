// Package api holds what every surface of a host shows: the events and the values in them, in the form of the
// wire. The same objects go to `up --json`, and to whoever attaches to a host. Words are camelCase, times are
// Unix milliseconds, and the values of environment variables never appear.
//
// # Order
//
// Of one instance, started precedes everything else, its output precedes its ended, and its log matches precede
// the notification of its end. Sequence numbers rise by one from event to event; output has none.
package api
