package main

import (
	"syscall"
	"time"
)

// demand is what a signal asks of a foreground run.
type demand uint8

const (
	nothing  demand = iota
	stopAll         // in order
	killAll         // at once
	leaveNow        // without waiting for what does not even die of SIGKILL
)

// echo is how soon after a Ctrl-C another one counts as the same: whoever started prochost passes on what the terminal
// has sent to both (npm does), and a person does not press a key that fast.
const echo = 50 * time.Millisecond

// interrupts decides what the signals of a run ask for.
type interrupts struct {
	ignoreHUP bool // it was ignored at the start, as under nohup
	terminal  bool // SIGINT comes from the keys of a terminal

	stopping bool
	killing  bool
	last     syscall.Signal
	at       time.Time // of last
}

// signal takes a signal at now.
func (i *interrupts) signal(s syscall.Signal, now time.Time) demand {
	repeated := i.terminal && s == syscall.SIGINT && s == i.last && now.Sub(i.at) < echo
	if s == syscall.SIGHUP && (i.ignoreHUP || i.stopping) || repeated {
		return nothing // a terminal that is closed says so while its Ctrl-C is obeyed, and means no more by it
	}
	i.last, i.at = s, now
	switch {
	case i.killing:
		return leaveNow
	case i.stopping, s == syscall.SIGQUIT:
		i.stopping, i.killing = true, true
		return killAll
	}
	i.stopping = true
	return stopAll
}
