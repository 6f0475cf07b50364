package host

import (
	"context"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// loop is the one goroutine that owns what the host decides with: which declaration runs as which instance, the
// policies, the rate limit, the recipe in force. It waits on its mailbox and one timer, and hands on effects.
//
//	mailbox ──▶ handle ──▶ stack ──▶ effects ──▶ manager
//	               │
//	               └─────▶ notify ──▶ outbox
type loop struct {
	h       *Host
	stack   *stack.Stack
	limiter notify.Limiter
	live    map[proc.ID]*instance
	ended   []record

	program    *luaapi.Program // in force; nil before the first good load
	generation int
	standing   string // the text of the error that was told last and still stands
	closing    bool
	stops      sync.WaitGroup
}

// instance is what the loop knows of a live instance beside what the manager knows.
type instance struct {
	p        recipe.Process
	policy   notify.Policy
	restarts int
	ready    *bool // nil: it has no readiness
	observer *observer
}

// record is a finished instance that is still remembered.
type record struct {
	id proc.ID
	at time.Time
}

// What is kept of finished instances: at least keepRecords of them, and each at least keepFor.
const (
	keepRecords = 50
	keepFor     = 5 * time.Minute
)

// run handles inputs until everything has ended for good.
func (l *loop) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for _, in := range l.h.inbox.take() {
			l.handle(in, time.Now())
		}
		if l.over() {
			break
		}
		if next, ok := l.deadline(); ok {
			timer.Reset(time.Until(next))
		} else {
			timer.Stop()
		}
		select {
		case <-l.h.inbox.wake:
		case <-timer.C:
			l.tick(time.Now())
		}
	}
	l.stops.Wait()
	if n, ok := l.limiter.Flush(time.Now()); ok {
		l.post(n)
	}
}

// over reports whether the host has nothing left to do.
func (l *loop) over() bool {
	if l.stack.Closing() {
		return len(l.stack.Live()) == 0
	}
	return l.generation > 0 && !l.h.opt.Stay && l.stack.Idle()
}

func (l *loop) deadline() (t time.Time, ok bool) {
	t, ok = l.stack.Deadline()
	if due, limited := l.limiter.Deadline(); limited && (!ok || due.Before(t)) {
		t, ok = due, true
	}
	return t, ok
}

func (l *loop) tick(now time.Time) {
	if n, ok := l.limiter.Tick(now); ok {
		l.post(n)
	}
	l.do(l.stack.Tick(now))
}

func (l *loop) handle(in input, now time.Time) {
	switch in := in.(type) {
	case happened:
		l.happened(in.event, now)
	case matched:
		if i := l.live[in.id]; i != nil {
			info, _ := l.h.manager.Info(in.id)
			for _, n := range l.limiter.Admit(in.match, info, in.at) {
				l.post(n)
			}
		}
	case readied:
		if i := l.live[in.id]; i != nil && i.ready != nil && !*i.ready {
			*i.ready = true
			l.changed(in.id, i)
			l.do(l.stack.Ready(in.id, now))
		}
	case stopped:
		if in.err == nil && !in.result.OK {
			l.h.trouble("stop", stopTrouble(in.result))
			if l.stack.Closing() { // the system does not let go of it; waiting longer ends nothing
				l.do(l.stack.Gone(in.id, now))
			}
		}
	case loaded:
		l.apply(in.program, now)
		close(in.applied)
	case broken:
		l.broken(in.err, now)
	case shutdown:
		l.shutdown(in, now)
	}
}

func (l *loop) happened(e proc.Event, now time.Time) {
	switch e := e.(type) {
	case proc.Started:
		i := l.live[e.Info.ID]
		if i == nil {
			return
		}
		l.tell(api.NewStarted(l.info(e.Info, i)), e.Info.ID)
		l.do(l.stack.Started(e.Info.ID, now))
	case proc.Changed:
		i := l.live[e.Info.ID]
		if i == nil {
			return
		}
		l.tell(api.NewChanged(l.info(e.Info, i)), e.Info.ID)
		if !e.Info.Status.Live() { // its stop had timed out; it is gone, and that is not told
			l.forget(e.Info.ID, now)
			l.do(l.stack.Gone(e.Info.ID, now))
		}
	case proc.Ended:
		l.finish(e, now)
	}
}

// finish is the way of an end: event, decision, outbox, and then what the stack makes of it.
func (l *loop) finish(e proc.Ended, now time.Time) {
	i := l.live[e.Info.ID]
	if i == nil {
		return
	}
	effects, fate := l.stack.Ended(e, now)
	var left []api.Leftover
	for _, p := range e.Leftovers {
		left = append(left, api.Leftover{PID: p.PID, Command: p.Command})
	}
	l.tell(api.NewEnded(l.info(e.Info, i), left), e.Info.ID)
	n, told := notify.Decide(e, i.policy, notify.Circumstances{
		At: now, Restarts: fate.Restarts, WillRestart: fate.WillRestart, RestartDelay: fate.RestartDelay,
		GaveUp: fate.GaveUp, Blocks: fate.Blocks,
	})
	if told {
		l.post(n)
	}
	l.forget(e.Info.ID, now)
	l.do(effects)
	l.progress()
}

// forget moves an instance to the finished ones and drops the oldest of them.
func (l *loop) forget(id proc.ID, now time.Time) {
	delete(l.live, id)
	l.ended = append(l.ended, record{id, now})
	for len(l.ended) > keepRecords && now.Sub(l.ended[0].at) >= keepFor {
		old := l.ended[0].id
		l.ended = l.ended[1:]
		l.h.manager.Forget(old)
		l.h.logs.remove(old)
	}
}

// do carries out what the stack asks for.
func (l *loop) do(effects []stack.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case stack.Start:
			l.start(e)
		case stack.Stop:
			l.stops.Go(func() {
				result, err := l.h.manager.Stop(context.Background(), e.ID, e.Request)
				l.h.inbox.put(stopped{e.ID, result, err})
			})
		case stack.Update:
			l.update(e)
		}
	}
}

// start binds everything that bears on the end of an instance to its id before it is started.
func (l *loop) start(e stack.Start) {
	i := &instance{p: e.Process, policy: e.Process.Notify.Policy(), restarts: e.Restarts}
	if e.Process.Ready != nil {
		i.ready = new(bool)
	}
	l.live[e.ID] = i
	var err error
	i.observer, err = newObserver(e.ID, e.Process, l.h.inbox.put)
	if err == nil {
		err = l.h.manager.Start(e.ID, e.Process.Spec(), i.observer)
	}
	if err != nil { // refused: an end like any other, so that it is told
		end := proc.NeverRan(err)
		now := time.Now()
		l.h.inbox.put(happened{proc.Ended{End: end, Info: proc.Info{
			ID: e.ID, Name: e.Process.Name, Command: e.Process.Spec().CommandLine(), Argv: e.Process.Run.Argv,
			Dir: e.Process.Run.Dir, Source: "recipe", Status: end.Status(), Started: now, Ended: now, End: end,
		}}})
	}
}

func (l *loop) update(e stack.Update) {
	i := l.live[e.ID]
	if i == nil {
		return
	}
	i.p, i.policy = e.Process, e.Process.Notify.Policy()
	if err := i.observer.adopt(e.Process.Notify.LogMatches); err != nil {
		l.h.trouble("recipe", err.Error())
	}
}

// post sends a decided notification on its way, with the hooks that are in force now.
func (l *loop) post(n notify.Notification) {
	var w wordsmith
	if l.program != nil && l.program.HasWords(n.Kind().String(), n.About().Name) {
		w = hooks{program: l.program, tail: l.h.logs.tail}
	}
	l.h.outbox.post(letter{n: n, words: w})
}

// tell sends an event on its way. It goes the way of the notifications, and so comes after those that were decided
// before it: a match is told before the end of its process.
func (l *loop) tell(e api.Event, of proc.ID) {
	at, upTo := time.Now(), l.h.logs.written(of)
	l.h.outbox.after(func() { l.h.hub.emit(e, at, of, upTo) })
}

// apply puts a loaded program in force.
func (l *loop) apply(p *luaapi.Program, now time.Time) {
	old := l.program
	l.program = p
	l.generation++
	l.standing = ""
	effects, plan := l.stack.Apply(p.Recipe(), now)
	l.tell(api.NewRecipe(api.RecipeLoaded{
		Path: l.h.opt.Recipe, Generation: l.generation, OK: true,
		Added: plan.Added, Removed: plan.Removed, Restarted: plan.Restarted, Updated: plan.Updated, Kept: plan.Kept,
	}), "")
	l.do(effects)
	if old != nil {
		l.h.outbox.after(old.Close) // what was decided under it has its words by then
	} else {
		l.tell(api.NewHostState("ready", nil), "")
	}
}

// broken tells that the recipe cannot be loaded, once as long as the same error stands.
func (l *loop) broken(err error, now time.Time) {
	if err.Error() == l.standing {
		return
	}
	l.standing = err.Error()
	l.tell(api.NewRecipe(api.RecipeLoaded{
		Path: l.h.opt.Recipe, Generation: l.generation, Errors: RecipeErrors(l.h.opt.Recipe, err),
	}), "")
	l.post(notify.NoticeRecipeError(err.Error(), now))
}

func (l *loop) shutdown(in shutdown, now time.Time) {
	if in.force {
		l.do(l.stack.Kill(in.by, now))
	} else {
		l.do(l.stack.Shutdown(in.by, now))
	}
	l.progress()
}

// progress tells, while the host stops, what it still waits for.
func (l *loop) progress() {
	if !l.stack.Closing() {
		return
	}
	if blocking := l.stack.Live(); !l.closing || len(blocking) > 0 {
		l.tell(api.NewHostState("stopping", blocking), "")
	}
	l.closing = true
}

// changed tells that something of a live instance changed that the manager does not know of.
func (l *loop) changed(id proc.ID, i *instance) {
	// The manager may know of an end that is still on its way here.
	if info, ok := l.h.manager.Info(id); ok && info.Status.Live() {
		l.tell(api.NewChanged(l.info(info, i)), id)
	}
}

func (l *loop) info(p proc.Info, i *instance) api.Info {
	var ready *bool
	if i.ready != nil {
		v := *i.ready && p.Status.Live()
		ready = &v
	}
	return api.NewInfo(p, i.restarts, ready)
}

func stopTrouble(r manager.StopResult) string {
	s := r.Info.Name + ": the stop ran out of time"
	for _, p := range r.Survivors {
		s += ", still alive: " + p.Command
	}
	return s
}
