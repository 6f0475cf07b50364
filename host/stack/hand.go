package stack

import (
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// Slot is how one declared process stands.
type Slot struct {
	Process  recipe.Process
	Phase    Phase
	ID       proc.ID // of the live or last instance, "" if there was none
	Ended    bool    // there was an instance, and Last is how it ended
	Last     proc.End
	Held     bool      // stopped by hand
	GaveUp   bool      // its restarts are used up
	Stopping bool      // a stop of the live instance was asked for
	Replace  bool      // the live instance is followed by another one when it has ended
	Restarts int       // in all
	Due      time.Time // of the restart, in Backoff
	Why      Hindrance // in Waiting and Skipped
}

// Slots returns how every declared process stands, in order of the recipe.
func (s *Stack) Slots() []Slot {
	var all []Slot
	for _, sl := range s.slots {
		if !sl.gone {
			all = append(all, sl.snapshot())
		}
	}
	return all
}

// Slot returns how the declared process of that name stands.
func (s *Stack) Slot(name string) (Slot, bool) {
	if sl := s.slot(name); sl != nil && !sl.gone {
		return sl.snapshot(), true
	}
	return Slot{}, false
}

func (s *slot) snapshot() Slot {
	return Slot{
		Process: s.p, Phase: s.phase, ID: s.id, Ended: s.id != "" && s.phase != Live, Last: s.last,
		Held: s.held, GaveUp: s.gaveUp, Stopping: s.stopping, Replace: s.replace,
		Restarts: s.restarts, Due: s.due, Why: s.why,
	}
}

// Want has the process of that name run, and what it depends on: what had ended, or was stopped by hand, is started
// again. What runs already is left alone, unless it is being stopped: then another instance follows.
func (s *Stack) Want(name string, now time.Time) []Effect {
	s.at = now
	sl := s.slot(name)
	if sl == nil || sl.gone || s.closing {
		return nil
	}
	s.want(sl)
	return s.settle()
}

func (s *Stack) want(sl *slot) {
	sl.wanted, sl.held, sl.row = true, false, 0
	switch sl.phase {
	case Live:
		sl.replace = sl.replace || sl.stopping
	default:
		sl.phase, sl.started = Waiting, false
	}
	if s.opt.Selection.Only {
		return
	}
	for _, d := range sl.p.Depends {
		dep := s.slot(d.Name)
		if dep == nil || dep.gone {
			continue
		}
		if met, possible := s.condition(d); dep.held || !met && !possible {
			s.want(dep)
		}
	}
}

// Hold has the process of that name stay stopped until somebody wants it again. It does not stop what runs: whoever
// asks does that, with a request of its own.
func (s *Stack) Hold(name string, now time.Time) []Effect {
	s.at = now
	sl := s.slot(name)
	if sl == nil || sl.gone || s.closing {
		return nil
	}
	sl.wanted, sl.held, sl.replace = false, true, false
	switch sl.phase {
	case Live:
		sl.stopping = true
	case Waiting, Skipped, Backoff:
		sl.phase, sl.started = Idle, false
	}
	return s.settle()
}

// Renew ends the live instance of the process of that name, and starts another one; at once if none is live.
func (s *Stack) Renew(name string, force bool, now time.Time) []Effect {
	s.at = now
	sl := s.slot(name)
	if sl == nil || sl.gone || s.closing {
		return nil
	}
	s.want(sl)
	if !sl.live() {
		return s.settle()
	}
	sl.replace = true
	out := s.stop(sl, proc.StopRequest{By: proc.ByRestart, Force: force})
	return append(out, s.settle()...)
}
