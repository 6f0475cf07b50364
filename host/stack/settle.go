package stack

import (
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// settle starts what can be started, and in a shutdown stops what nothing live depends on any more. It is the
// last step of every input.
func (s *Stack) settle() []Effect {
	var out []Effect
	s.slots = deleteOver(s.slots)
	if s.closing {
		return s.settleClosing()
	}
	s.pull()
	for _, sl := range s.slots {
		switch sl.phase {
		case Idle:
			if sl.wanted {
				sl.phase = Waiting
			}
		case Backoff:
			if !sl.due.After(s.at) {
				sl.phase = Waiting
				sl.restarts++
			}
		}
	}
	s.derive(func(sl *slot) {
		id := s.opt.NewID()
		sl.launch(id)
		out = append(out, Start{ID: id, Process: sl.p, Restarts: sl.restarts})
	})
	return out
}

// derive finds out of what is not live whether it waits or is left out, and has the rest started. A process that is
// left out may leave out others, which may stand before it: it goes round until nothing moves.
func (s *Stack) derive(start func(*slot)) {
	for moved := true; moved; {
		moved = false
		for _, sl := range s.slots {
			if sl.phase != Waiting && sl.phase != Skipped {
				continue
			}
			before := sl.phase
			why, hindered := s.hindrance(sl)
			switch {
			case !hindered:
				start(sl)
			case why.Final:
				sl.phase, sl.why = Skipped, why
			default:
				sl.phase, sl.why = Waiting, why
			}
			moved = moved || sl.phase != before
		}
	}
}

func deleteOver(slots []*slot) []*slot {
	kept := slots[:0]
	for _, sl := range slots {
		if !sl.gone || sl.live() {
			kept = append(kept, sl)
		}
	}
	clear(slots[len(kept):])
	return kept
}

// pull makes wanted what a wanted process depends on.
func (s *Stack) pull() {
	if s.opt.Selection.Only {
		return
	}
	var want func(sl *slot)
	want = func(sl *slot) {
		for _, d := range sl.p.Depends {
			dep := s.slot(d.Name)
			if dep == nil || dep.wanted || dep.held || dep.gone {
				continue
			}
			dep.wanted = true
			want(dep)
		}
	}
	for _, sl := range s.slots {
		if sl.wanted {
			want(sl)
		}
	}
}

// hindrance returns the first dependency that keeps sl from being started. One that cannot come about goes
// before one that is awaited.
func (s *Stack) hindrance(sl *slot) (h Hindrance, hindered bool) {
	for _, d := range sl.p.Depends {
		met, possible := s.condition(d)
		if met {
			continue
		}
		if !possible {
			return Hindrance{Needs: d.Name, Condition: d.Condition, Final: true}, true
		}
		if !hindered {
			h, hindered = Hindrance{Needs: d.Name, Condition: d.Condition}, true
		}
	}
	return h, hindered
}

// condition reports whether a dependency is met, and if not whether it still can be.
func (s *Stack) condition(d recipe.Dependency) (met, possible bool) {
	dep := s.slot(d.Name)
	if dep == nil {
		return false, false // a checked recipe has none
	}
	if s.opt.Selection.Only && !dep.wanted && !dep.live() {
		return true, true
	}
	switch dep.phase {
	case Skipped:
		return false, false
	case Done:
		switch d.Condition {
		case recipe.OnStarted:
			return dep.started, false
		case recipe.OnReady:
			return dep.ready && dep.last.Success(), false // what was ready and then broke is not there
		case recipe.OnSuccess:
			return dep.last.Success(), false
		}
		return true, false
	case Live:
		switch d.Condition {
		case recipe.OnStarted:
			return dep.started, true
		case recipe.OnReady:
			return dep.ready, true
		}
	case Backoff:
		if d.Condition == recipe.OnStarted {
			return dep.started, true
		}
	}
	return false, true
}

// settleClosing stops every live process on which no live one depends.
func (s *Stack) settleClosing() []Effect {
	var out []Effect
	for _, sl := range s.slots {
		if sl.live() && !sl.stopping && !s.needed(sl) {
			out = append(out, s.stop(sl, proc.StopRequest{By: s.cause, Force: s.force})...)
		}
	}
	return out
}

func (s *Stack) needed(sl *slot) bool {
	for _, other := range s.slots {
		if other == sl || !other.live() {
			continue
		}
		for _, d := range other.p.Depends {
			if d.Name == sl.p.Name {
				return true
			}
		}
	}
	return false
}
