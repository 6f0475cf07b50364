package stack

import (
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// Phase is where a declared process is in its life.
type Phase uint8

const (
	// Idle: declared, and nobody wants it to run.
	Idle Phase = iota
	// Waiting: wanted, and a dependency is not there yet.
	Waiting
	// Skipped: wanted, and a dependency cannot come about.
	Skipped
	// Backoff: it ended and is started again when its delay is over.
	Backoff
	// Live: an instance was started and has not ended.
	Live
	// Done: the last instance ended and none follows by itself.
	Done
)

// String returns the word of the wire; a live or finished instance has a status of its own.
func (p Phase) String() string {
	return [...]string{"declared", "waiting", "skipped", "backoff", "live", "done"}[p]
}

// slot is one declared process.
type slot struct {
	p recipe.Process

	// what is wanted
	wanted  bool
	held    bool // stopped by hand: a reload does not start it
	replace bool // start a new instance when the live one has ended
	gone    bool // no longer declared: forget it when the live instance has ended

	// what is
	phase    Phase
	id       proc.ID // of the live or last instance
	stopping bool    // a stop of the live instance was asked for
	started  bool    // some instance since it was last wanted ran
	ready    bool    // the live or last instance became ready
	last     proc.End
	due      time.Time // of the restart, in Backoff
	why      Hindrance // in Waiting and Skipped

	// restarts
	restarts int // in all
	row      int // since it last ran long enough
	gaveUp   bool

	// the first failure that nobody asked for and that no later instance mended
	failed   bool
	failedAt time.Time
	failure  proc.End
}

func (s *slot) live() bool { return s.phase == Live }

// launch moves the slot to a new instance.
func (s *slot) launch(id proc.ID) {
	s.phase, s.id = Live, id
	s.stopping, s.replace, s.ready, s.gaveUp = false, false, false, false
	s.why = Hindrance{}
}

// fail notes an end that nobody asked for; only the first of a row counts.
func (s *slot) fail(e proc.End, at time.Time) {
	if !s.failed {
		s.failed, s.failedAt, s.failure = true, at, e
	}
}

func (s *slot) mend() { s.failed = false }

// Hindrance is what keeps a process from being started.
type Hindrance struct {
	Needs     string // name of the dependency
	Condition recipe.Condition
	Final     bool // it cannot come about by itself
}
