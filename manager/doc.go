// Package manager runs processes and owns each of them until its end.
//
//	Start, Stop, Write … ─▶ ┌───────┐ input ┌──────┐ effects ┌─────────┐ ─▶ proc.Started, Changed, Ended
//	end of the leader ────▶ │ owner │ ────▶ │ step │ ──────▶ │ perform │ ─▶ signals, deadlines, answers
//	deadlines ────────────▶ └───────┘       └──────┘         └─────────┘
//	output ─▶ readers ─▶ Log, proc.Observer
//
// Each process has one goroutine, its owner, and no other holds its state. What an input makes of the state is decided
// by step, which is pure and total; the owner only waits and carries out. Others see a copy.
//
// # Ends
//
// The end of a process is what the system says of its leader, never that a pipe was closed. It is told at once, though
// others hold the pipes: what they held at that moment is read first, no more. So Ended comes once, after all that the
// leader wrote, and Started before anything that it wrote. What cannot be started is an Ended like any other, without
// Started.
//
// Whether somebody asked for an end is decided here, in the order in which the owner sees the request and the end: a
// stop that comes when there is a wait status has come too late.
//
// # Stops
//
// A stop is over when nothing of the process lives: neither its group nor those that left it. They are found by descent,
// since this process makes itself the one to whom orphans fall, and by the mark that every child finds in its
// environment. The leader is reaped only then: as long as it is not, its number, which is that of its group, cannot be
// given to a stranger. A stop that runs out of time leaves the process in a state of its own, from which a second stop
// can end it; its later death is recorded and not told.
//
// # Loss
//
// Every byte goes to the Log and to the observer in the order of arrival. Neither events nor output wait for a reader of
// theirs: who takes them must not block.
package manager
