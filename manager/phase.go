package manager

import (
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A phase is what is true of an instance, with the data that exists only then.
type phase interface{ phase() }

type (
	// starting: accepted, and the spawn is under way. Stops that are asked for meanwhile wait in it.
	starting struct{ stops []stopAsked }
	// running: the leader lives and nobody has asked for its end.
	running struct{}
	// stopping: a stop runs. It is over when nothing of the process lives, not when the leader is gone.
	stopping struct {
		stop   stop
		leader *leaderEnd // nil while the leader lives
	}
	// timedOut: a stop has run out of time and something still lives. What dies now dies silently.
	timedOut struct {
		stop   stop
		leader *leaderEnd
	}
	// sweeping: the end has been told, and what the leader left behind is being ended. A stop waits for that.
	sweeping struct {
		strays  bool // those outside the group have been told as well
		killing bool
	}
	// over: nothing is left to do.
	over struct{ stop *answer } // what a stop is answered; nil if it ended by itself and nothing of it lives
)

func (starting) phase() {}
func (running) phase()  {}
func (stopping) phase() {}
func (timedOut) phase() {}
func (sweeping) phase() {}
func (over) phase()     {}

// stop is what a stop has come to.
type stop struct {
	mark       proc.StopRequest // the first request; it is who asked
	signal     syscall.Signal   // the last signal that was asked for; 0 while a command asks
	parentOnly bool             // the signal is for the leader alone
	commanding bool             // the command runs
	kill       bool             // SIGKILL when due
	due        time.Time        // end of the grace time, or of the patience after SIGKILL
	killing    bool             // SIGKILL has been sent
	strays     bool             // those outside the group have been told as well, or are not to be
	sent       signalSet        // by this stop and those before it
}

// leaderEnd is how the leader ended, as the system says.
type leaderEnd struct {
	status leaderStatus
	at     time.Time
}

// leaderStatus is a wait status. The zero value is one that the system did not keep.
type leaderStatus struct {
	known  bool
	code   int
	signal syscall.Signal // 0 for a return
}

// signalSet is a set of signals below 64.
type signalSet uint64

func (s signalSet) with(sig syscall.Signal) signalSet { return s | 1<<(uint(sig)&63) }
func (s signalSet) has(sig syscall.Signal) bool       { return s&(1<<(uint(sig)&63)) != 0 }

// state is all that decisions about one instance rest on.
type state struct {
	info  proc.Info
	rules rules
	phase phase
}

// rules is what a Spec says about ends.
type rules struct {
	stop    proc.StopSpec
	keep    bool // leave the leader's leftovers alone
	success []int
}

func newState(id proc.ID, s proc.Spec, now time.Time) state {
	return state{
		info: proc.Info{
			ID: id, Name: s.Name, Command: s.CommandLine(), Argv: s.Argv, Dir: s.Dir, Source: s.Source, PTY: s.PTY,
			Started: now, Delivery: s.Delivery,
		},
		rules: rules{stop: s.Stop.WithDefaults(), keep: s.Leftovers == proc.KeepLeftovers, success: s.SuccessCodes},
		phase: starting{},
	}
}
