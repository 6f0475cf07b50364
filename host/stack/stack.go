package stack

import (
	"path"
	"slices"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// Effect is something that the driver of a Stack is to do.
type Effect interface{ effect() }

// Start starts an instance under an id that the stack has chosen.
type Start struct {
	ID       proc.ID
	Process  recipe.Process
	Restarts int // of this declaration before
}

// Stop stops an instance.
type Stop struct {
	ID      proc.ID
	Request proc.StopRequest
}

// Update applies what can be changed while the instance runs.
type Update struct {
	ID      proc.ID
	Process recipe.Process
}

func (Start) effect()  {}
func (Stop) effect()   {}
func (Update) effect() {}

// Fate is what becomes of a process after an end.
type Fate struct {
	Restarts     int // before the instance that ended
	WillRestart  bool
	RestartDelay time.Duration
	GaveUp       bool
	Blocks       []string // names that will not be started because of this end
}

// Selection says which processes are wanted from the beginning.
type Selection struct {
	Names []string // names and globs; empty: all that are started by themselves
	Only  bool     // without their dependencies, whose conditions are then ignored
	None  bool     // none: what runs is started by hand
}

// Matches reports whether a name or glob of the selection means name.
func (Selection) Matches(pattern, name string) bool {
	if pattern == name {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func (sel Selection) has(p recipe.Process) bool {
	if sel.None {
		return false
	}
	if len(sel.Names) == 0 {
		return p.Auto
	}
	return slices.ContainsFunc(sel.Names, func(pattern string) bool { return sel.Matches(pattern, p.Name) })
}

// Options are fixed for the life of a Stack.
type Options struct {
	NewID     func() proc.ID
	Selection Selection
	ExitOn    ExitOn
}

// Stack is the state of all declared processes. It is not safe for concurrent use.
type Stack struct {
	opt     Options
	recipe  recipe.Recipe
	slots   []*slot // those of the recipe in its order, then those that are gone and still end
	closing bool
	force   bool
	cause   proc.Cause // of the closing
	exitOn  *proc.End  // the end that triggered ExitOn
	at      time.Time  // of the input in hand
}

// New returns a stack without processes.
func New(opt Options) *Stack { return &Stack{opt: opt} }

func (s *Stack) slot(name string) *slot {
	for _, sl := range s.slots {
		if sl.p.Name == name {
			return sl
		}
	}
	return nil
}

func (s *Stack) instance(id proc.ID) *slot {
	for _, sl := range s.slots {
		if sl.id == id && id != "" {
			return sl
		}
	}
	return nil
}

// Apply makes r the recipe: what is removed is stopped, what is run differently is restarted, what is new is
// started, the rest is updated in place. It returns what it found to differ.
func (s *Stack) Apply(r recipe.Recipe, now time.Time) ([]Effect, recipe.Plan) {
	s.at = now
	plan := recipe.Diff(s.recipe, r)
	if s.closing {
		return nil, plan
	}
	var out []Effect
	s.recipe = r
	for _, name := range plan.Removed {
		if sl := s.slot(name); sl != nil {
			sl.gone, sl.wanted, sl.replace = true, false, false
			out = append(out, s.stop(sl, proc.StopRequest{By: proc.ByReload})...)
		}
	}
	for _, p := range r.Processes {
		sl := s.slot(p.Name)
		switch {
		case sl == nil:
			s.slots = append(s.slots, &slot{p: p, wanted: s.opt.Selection.has(p)})
		case slices.Contains(plan.Added, p.Name): // it was removed and its instance still ends
			sl.p, sl.gone, sl.wanted = p, false, s.opt.Selection.has(p)
			sl.replace = sl.wanted
		case slices.Contains(plan.Restarted, p.Name):
			sl.p = p
			out = append(out, s.replace(sl)...)
		default:
			sl.p = p
			if sl.live() && slices.Contains(plan.Updated, p.Name) {
				out = append(out, Update{ID: sl.id, Process: p})
			}
			if sl.phase == Backoff && p.Restart.On == recipe.Never {
				sl.phase = Done
			}
		}
	}
	s.order(r)
	return append(out, s.settle()...), plan
}

// replace gives a slot whose way of running changed a new instance, unless it was stopped by hand.
func (s *Stack) replace(sl *slot) []Effect {
	switch sl.phase {
	case Live:
		if sl.stopping && !sl.replace {
			return nil // somebody stops it: it stays stopped
		}
		sl.replace = true
		return s.stop(sl, proc.StopRequest{By: proc.ByReload})
	case Done, Backoff:
		if sl.wanted {
			sl.phase, sl.row = Waiting, 0
		}
	}
	return nil
}

// order puts the slots in the order of the recipe, those that are gone last, and drops what is gone and over.
func (s *Stack) order(r recipe.Recipe) {
	at := func(sl *slot) int {
		if i := slices.IndexFunc(r.Processes, func(p recipe.Process) bool { return p.Name == sl.p.Name }); i >= 0 && !sl.gone {
			return i
		}
		return len(r.Processes)
	}
	s.slots = slices.DeleteFunc(s.slots, func(sl *slot) bool { return sl.gone && !sl.live() })
	slices.SortStableFunc(s.slots, func(a, b *slot) int { return at(a) - at(b) })
}

// stop asks for the end of a live instance. A second request goes out too: it may be the stronger one.
func (s *Stack) stop(sl *slot, req proc.StopRequest) []Effect {
	if !sl.live() {
		return nil
	}
	sl.stopping = true
	req.Spec = sl.p.Stop.WithDefaults()
	return []Effect{Stop{ID: sl.id, Request: req}}
}

// Started reports that an instance runs.
func (s *Stack) Started(id proc.ID, now time.Time) []Effect {
	s.at = now
	sl := s.instance(id)
	if sl == nil {
		return nil
	}
	sl.started = true
	return s.settle()
}

// Ready reports that an instance is ready.
func (s *Stack) Ready(id proc.ID, now time.Time) []Effect {
	s.at = now
	sl := s.instance(id)
	if sl == nil || sl.ready {
		return nil
	}
	sl.ready = true
	return s.settle()
}

// Ended reports the end of an instance and returns what becomes of its process.
func (s *Stack) Ended(e proc.Ended, now time.Time) ([]Effect, Fate) {
	s.at = now
	sl := s.instance(e.Info.ID)
	if sl == nil || !sl.live() {
		return nil, Fate{}
	}
	skippedBefore := s.names(Skipped)
	f := s.over(sl, e)
	ends := sl.phase == Done && e.Stop == nil && s.opt.ExitOn.meets(sl.p.Name, e.End) && !s.closing
	var out []Effect
	if ends { // nothing is started any more, and yet it is known what could not have been
		s.derive(func(*slot) {})
	} else {
		out = s.settle()
	}
	for _, name := range s.names(Skipped) {
		if !slices.Contains(skippedBefore, name) {
			f.Blocks = append(f.Blocks, name)
		}
	}
	if ends {
		s.exitOn = &e.End
		out = s.Shutdown(proc.ByExitOn, now)
	}
	return out, f
}

// over moves a slot on from the end of its instance.
func (s *Stack) over(sl *slot, e proc.Ended) Fate {
	f := Fate{Restarts: sl.restarts}
	sl.last = e.End
	sl.phase = Done
	if e.End.Success() || e.Stop != nil {
		sl.mend()
	} else {
		sl.fail(e.End, s.at)
	}
	switch {
	case sl.gone || s.closing:
		sl.wanted = false
		sl.phase = Done
	case sl.replace:
		sl.replace = false
		sl.phase, sl.row = Waiting, 0
	case e.Stop != nil, sl.held: // a stop by hand may come just after an end, and holds all the same
		byHand := sl.held || e.Stop.By == proc.ByUser
		sl.phase, sl.wanted, sl.started, sl.held = Idle, false, false, byHand
	case sl.p.Restart.On == recipe.Always, sl.p.Restart.On == recipe.OnFailure && !e.End.Success():
		if ran := e.Info.Ended.Sub(e.Info.Started); sl.p.Restart.Healthy > 0 && ran >= sl.p.Restart.Healthy {
			sl.row = 0
		}
		delay, again := sl.p.Restart.DelayBefore(sl.row + 1)
		if !again {
			f.GaveUp, sl.gaveUp = true, true
			break
		}
		sl.row++
		sl.phase, sl.due = Backoff, s.at.Add(delay)
		f.WillRestart, f.RestartDelay = true, delay
	}
	return f
}

// Gone reports that an instance whose stop had timed out is gone without an end that is told.
func (s *Stack) Gone(id proc.ID, now time.Time) []Effect {
	s.at = now
	sl := s.instance(id)
	if sl == nil || !sl.live() {
		return nil
	}
	s.over(sl, proc.Ended{End: proc.Vanished(true), Stop: &proc.StopRequest{By: s.cause}})
	return s.settle()
}

// Tick starts what is due at now.
func (s *Stack) Tick(now time.Time) []Effect {
	s.at = now
	return s.settle()
}

// Deadline is when Tick has something to do; ok is false if no restart is due.
func (s *Stack) Deadline() (t time.Time, ok bool) {
	for _, sl := range s.slots {
		if sl.phase == Backoff && (!ok || sl.due.Before(t)) {
			t, ok = sl.due, true
		}
	}
	return t, ok
}

// Shutdown stops everything, dependents before what they depend on, and starts nothing more.
func (s *Stack) Shutdown(by proc.Cause, now time.Time) []Effect {
	s.at = now
	if s.closing {
		return nil
	}
	s.closing, s.cause = true, by
	for _, sl := range s.slots {
		sl.wanted, sl.replace = false, false
		if !sl.live() && sl.phase != Done {
			sl.phase = Idle
		}
	}
	return s.settle()
}

// Kill ends everything at once, whatever depends on it.
func (s *Stack) Kill(by proc.Cause, now time.Time) []Effect {
	out := s.Shutdown(by, now)
	s.force = true
	for _, sl := range s.slots {
		out = append(out, s.stop(sl, proc.StopRequest{By: s.cause, Force: true})...)
	}
	return out
}

// Closing reports whether a shutdown has begun.
func (s *Stack) Closing() bool { return s.closing }

// Idle reports whether nothing runs and nothing will be started by itself.
func (s *Stack) Idle() bool {
	return !slices.ContainsFunc(s.slots, func(sl *slot) bool { return sl.phase == Live || sl.phase == Backoff })
}

// Live returns the names of what is live, in order.
func (s *Stack) Live() []string { return s.names(Live) }

func (s *Stack) names(p Phase) []string {
	var names []string
	for _, sl := range s.slots {
		if sl.phase == p {
			names = append(names, sl.p.Name)
		}
	}
	return names
}
