package manager

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// An input is something that has happened to an instance or is asked of it.
type input interface{ input() }

type (
	spawned struct {
		pid     int
		born    uint64
		adopted bool // others had spawned it
		at      time.Time
	}
	// resumed: it was adopted after its end had been told, and left is who of it lives.
	resumed struct {
		info proc.Info
		left left
		at   time.Time
	}
	spawnFailed struct {
		cause error
		at    time.Time
	}
	stopAsked struct {
		req proc.StopRequest
		at  time.Time
	}
	// leaderGone: the leader has a wait status, and left is who outlives it.
	leaderGone struct {
		end  leaderEnd
		left left
		// outOfMemory: the kernel says that it killed the leader for want of memory.
		outOfMemory bool
	}
	// surveyed: somebody looked again who lives beside the leader.
	surveyed struct {
		left left
		at   time.Time
	}
	// due: the time that was armed has come, and left is who lives beside the leader.
	due struct {
		left left
		at   time.Time
	}
	// commandOver: the command of a stop has ended, or could not be run. failure says how it failed, if it did.
	commandOver struct {
		failure string
		at      time.Time
	}
	// revised: the process is stopped by other rules from here on.
	revised struct {
		stop proc.StopSpec
		keep bool
	}
	renamed  struct{ name string }
	released struct{}
)

func (spawned) input()     {}
func (resumed) input()     {}
func (spawnFailed) input() {}
func (stopAsked) input()   {}
func (leaderGone) input()  {}
func (surveyed) input()    {}
func (due) input()         {}
func (commandOver) input() {}
func (revised) input()     {}
func (renamed) input()     {}
func (released) input()    {}

// left is who of a process lives beside its leader.
type left struct {
	group  int  // in the leader's group
	strays int  // descendants that have left the group
	unsure bool // the system would not say; nobody may be called gone
	names  []proc.Leftover
	// doubt are orphans of somebody's, younger than the instance, that show no mark of any.
	doubt []proc.Leftover
}

func (l left) none() bool { return l.group == 0 && l.strays == 0 && !l.unsure }
