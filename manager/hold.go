package manager

import "syscall"

// hold is what makes sure that a leader's number is taken for that of no other process: the handle of a child, or
// a guest.
type hold interface {
	pid() int
	over() <-chan struct{}
	status() (leaderStatus, bool)
	pending() bool
	report(leaderStatus) bool
	signalLeader(syscall.Signal)
	signalGroup(syscall.Signal)
	reap() // takes the wait status away, if it is ours to take
	close()
}

// The status of a child comes with its end, and nobody else knows better.

func (h *handle) pending() bool            { return false }
func (h *handle) report(leaderStatus) bool { return false }
