package host

import (
	"context"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// loop is the one goroutine that owns what the host decides with: which declaration runs as which instance, the
// policies, the rate limits, the recipe in force. It waits on its mailbox and one timer, and hands on effects.
//
//	mailbox ──▶ handle ──▶ stack ──▶ effects ──▶ manager
//	               │
//	               └─────▶ notify ──▶ outbox
type loop struct {
	h         *Host
	stack     *stack.Stack
	audiences audiences
	sessions  map[string]*session
	live      map[proc.ID]*instance
	history   history
	number    uint64 // of the instance that was started last
	waiters   []*waiter

	program    *luaapi.Program // in force; nil before the first good load
	generation int
	loadedAt   time.Time
	standing   error // the error that was told last and still stands
	closing    bool
	stops      sync.WaitGroup
}

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
	for _, a := range l.audiences {
		if n, ok := a.limiter.Flush(time.Now()); ok {
			l.post(n, a.session)
		}
	}
}

// over reports whether the host has nothing left to do.
func (l *loop) over() bool {
	if l.stack.Closing() {
		return len(l.live) == 0
	}
	return l.generation > 0 && !l.h.opt.Stay && l.stack.Idle() && len(l.live) == 0
}

func (l *loop) deadline() (t time.Time, ok bool) {
	t, ok = l.stack.Deadline()
	if due, limited := l.audiences.deadline(); limited && (!ok || due.Before(t)) {
		t, ok = due, true
	}
	return t, ok
}

func (l *loop) tick(now time.Time) {
	for _, a := range l.audiences {
		if n, ok := a.limiter.Tick(now); ok {
			l.post(n, a.session)
		}
	}
	l.do(l.stack.Tick(now))
	l.look()
}

func (l *loop) handle(in input, now time.Time) {
	switch in := in.(type) {
	case happened:
		l.happened(in.event, now)
	case matched:
		if i := l.live[in.id]; i != nil {
			info, _ := l.h.manager.Info(in.id)
			l.audiences.admit(in.match, info, i.session, in.at, l.post)
		}
	case readied:
		if i := l.live[in.id]; i != nil && i.ready != nil && !*i.ready {
			*i.ready = true
			l.changed(i)
			l.do(l.stack.Ready(in.id, now))
		}
	case stopped:
		l.stopped(in, now)
	case loaded:
		in.applied <- l.apply(in.program, now)
	case broken:
		l.broken(in.err, now)
	case shutdown:
		l.shutdown(in, now)
	case call:
		in.do(l, now)
		close(in.done)
	}
	l.look()
}

// stopped tells of a stop that left somebody alive.
func (l *loop) stopped(in stopped, now time.Time) {
	if in.err != nil || in.result.OK {
		return
	}
	l.h.trouble("stop", stopTrouble(in.result))
	i := l.live[in.id]
	if !l.stack.Closing() || i == nil {
		return
	}
	// The system does not let go of it; waiting longer ends nothing.
	if i.declared {
		l.do(l.stack.Gone(in.id, now))
	}
	l.forget(i, now)
}

func (l *loop) happened(e proc.Event, now time.Time) {
	switch e := e.(type) {
	case proc.Started:
		if i := l.live[e.Info.ID]; i != nil {
			i.info = e.Info
			i.recorded = true
			l.noted(api.NewStarted(i.wire(e.Info)), i.id, i.record(e.Info))
			l.do(l.stack.Started(i.id, now))
		}
	case proc.Changed:
		i := l.live[e.Info.ID]
		if i == nil {
			return
		}
		i.info = e.Info
		l.tell(api.NewChanged(i.wire(e.Info)), i.id)
		if !e.Info.Status.Live() { // its stop had timed out; it is gone, and that is not told
			l.forget(i, now)
			l.do(l.stack.Gone(i.id, now))
		}
	case proc.Ended:
		if i := l.live[e.Info.ID]; i != nil {
			l.finish(i, e, now)
		}
	}
}

// finish is the way of an end: event, decision, outbox, and then what the stack makes of it.
func (l *loop) finish(i *instance, e proc.Ended, now time.Time) {
	i.info, i.stop = e.Info, e.Stop
	effects, fate := l.stack.Ended(e, now)
	if !i.declared {
		fate.Restarts = i.restarts
	}
	var left []api.Leftover
	for _, p := range e.Leftovers {
		left = append(left, api.Leftover{PID: p.PID, Command: p.Command})
	}
	n, told := notify.Decide(e, i.policy, notify.Circumstances{
		At: now, Restarts: fate.Restarts, WillRestart: fate.WillRestart, RestartDelay: fate.RestartDelay,
		GaveUp: fate.GaveUp, Blocks: fate.Blocks,
	})
	i.fact = n.Fact()
	// The end and what is told of it are written down as one: there is never one without the other.
	f := l.factOf(api.NewEnded(i.wire(e.Info), left), i.id, l.endRecords(i, e)...)
	if told {
		l.deliver(n, f, l.audiences.of(i.session)...)
	} else {
		l.h.outbox.note(f)
	}
	l.forget(i, now)
	l.do(effects)
	if i.again && !l.stack.Closing() {
		l.succeed(i)
	}
	l.progress()
}

// do carries out what the stack asks for.
func (l *loop) do(effects []stack.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case stack.Start:
			l.start(e)
		case stack.Stop:
			if i := l.live[e.ID]; i != nil {
				l.end(i, e.Request)
			}
		case stack.Update:
			l.update(e)
		}
	}
}

// end stops an instance; stopped will tell what came of it.
func (l *loop) end(i *instance, req proc.StopRequest) {
	l.stops.Go(func() {
		result, err := l.h.manager.Stop(context.Background(), i.id, req)
		l.h.inbox.put(stopped{i.id, result, err})
	})
}

// start starts an instance of a declared process.
func (l *loop) start(e stack.Start) {
	l.launch(&instance{
		id: e.ID, p: e.Process, spec: e.Process.Spec(), declared: true, restarts: e.Restarts,
	})
}

// launch binds everything that bears on the end of an instance to its id before it is started.
func (l *loop) launch(i *instance) {
	l.number++
	i.number = l.number
	i.policy = i.p.Notify.Policy()
	if i.p.Ready != nil {
		i.ready = new(bool)
	}
	i.info = proc.Info{
		ID: i.id, Name: i.spec.Name, Command: i.spec.CommandLine(), Argv: i.spec.Argv,
		Dir: i.spec.Dir, Source: i.spec.Source, PTY: i.spec.PTY, Started: time.Now(),
	}
	l.live[i.id] = i
	var err error
	i.observer, err = newObserver(i.id, i.p, l.h.inbox.put)
	if err == nil {
		l.h.logs.limit(i.id, i.p.Log)
		err = l.h.manager.Start(i.id, i.spec, i.observer)
	}
	if err != nil { // refused: an end like any other, so that it is told
		end := proc.NeverRan(err)
		info := i.info
		info.Status, info.End, info.Ended = end.Status(), end, info.Started
		l.h.inbox.put(happened{proc.Ended{End: end, Info: info}})
	}
}

// succeed starts the instance that follows an undeclared one.
func (l *loop) succeed(i *instance) {
	i.again = false
	next := &instance{
		id: proc.NewID(), p: i.p, spec: i.spec, session: i.session, keep: i.keep, restarts: i.restarts + 1,
	}
	next.spec.Delivery.Completion = proc.Notify // a claim is for one instance
	i.next = next.id
	l.launch(next)
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
	l.h.manager.Revise(e.ID, e.Process.Stop, e.Process.Leftovers) // an unknown id is one that could not be started
}

// post sends a decided notification on its way to those who hear it, with the hooks that are in force now.
func (l *loop) post(n notify.Notification, to ...string) { l.deliver(n, fact{}, to...) }

// deliver is post for what is written down and told together with a fact.
func (l *loop) deliver(n notify.Notification, about fact, to ...string) {
	var w wordsmith
	if l.program != nil && l.program.HasWords(n.Kind().String(), n.About().Name) {
		w = hooks{program: l.program, tail: l.h.logs.tail}
	}
	l.h.outbox.post(letter{n: n, words: w, to: to, fact: about})
}

// tell sends an event on its way. It goes the way of the notifications, and so comes after those that were decided
// before it: a match is told before the end of its process.
func (l *loop) tell(e api.Event, of proc.ID) {
	l.h.outbox.note(l.factOf(e, of))
}

// noted is tell for what is written down before.
func (l *loop) noted(e api.Event, of proc.ID, records ...journal.Record) {
	l.h.outbox.note(l.factOf(e, of, records...))
}

func (l *loop) factOf(e api.Event, of proc.ID, records ...journal.Record) fact {
	at, upTo := time.Now(), l.h.logs.written(of)
	return fact{records: records, tell: func() { l.h.hub.emit(e, at, of, upTo) }}
}

// endRecords are what is written down of an end; of an instance that never ran, also that there was one.
func (l *loop) endRecords(i *instance, e proc.Ended) (records []journal.Record) {
	if !i.recorded {
		i.recorded = true
		records = append(records, i.record(e.Info))
	}
	by := ""
	if e.Stop != nil {
		by = e.Stop.By.String()
	}
	return append(records, &journal.Ended{ID: i.id, At: e.Info.Ended, End: e.End, By: by})
}

// apply puts a loaded program in force.
func (l *loop) apply(p *luaapi.Program, now time.Time) api.RecipeLoaded {
	old := l.program
	l.program = p
	l.generation++
	l.loadedAt, l.standing = now, nil
	effects, plan := l.stack.Apply(p.Recipe(), now)
	outcome := l.planned(plan)
	l.do(effects) // what comes of them is told later: whoever hears of the recipe finds it applied
	l.tell(api.NewRecipe(outcome), "")
	if old != nil {
		l.h.outbox.after(old.Close) // what was decided under it has its words by then
	} else {
		l.tell(api.NewHostState("ready", nil), "")
	}
	return outcome
}

// planned is the outcome of a load that changes plan.
func (l *loop) planned(plan recipe.Plan) api.RecipeLoaded {
	return api.RecipeLoaded{
		Path: l.h.opt.Recipe, Generation: l.generation, OK: true,
		Added: plan.Added, Removed: plan.Removed, Restarted: plan.Restarted, Updated: plan.Updated, Kept: plan.Kept,
	}
}

// broken tells that the recipe cannot be loaded, once as long as the same error stands.
func (l *loop) broken(err error, now time.Time) {
	if l.standing != nil && err.Error() == l.standing.Error() {
		return
	}
	l.standing = err
	l.tell(api.NewRecipe(api.RecipeLoaded{
		Path: l.h.opt.Recipe, Generation: l.generation, Errors: RecipeErrors(l.h.opt.Recipe, err),
	}), "")
	l.post(notify.NoticeRecipeError(err.Error(), now), l.audiences.of(project)...)
}

func (l *loop) shutdown(in shutdown, now time.Time) {
	first := !l.stack.Closing()
	if in.force {
		l.do(l.stack.Kill(in.by, now))
	} else {
		l.do(l.stack.Shutdown(in.by, now))
	}
	if first || in.force { // nothing depends on what the recipe does not declare
		for _, i := range l.live {
			if !i.declared {
				l.end(i, proc.StopRequest{By: in.by, Force: in.force, Spec: i.p.Stop.WithDefaults()})
			}
		}
	}
	l.progress()
}

// progress tells, while the host stops, what it still waits for.
func (l *loop) progress() {
	if !l.stack.Closing() {
		return
	}
	blocking := l.stack.Live()
	for _, i := range l.instances() {
		if i.live() && !i.declared {
			blocking = append(blocking, i.info.Name)
		}
	}
	if !l.closing || len(blocking) > 0 {
		l.tell(api.NewHostState("stopping", blocking), "")
	}
	l.closing = true
}

// changed tells that something of a live instance changed that the manager does not know of.
func (l *loop) changed(i *instance) {
	// The manager may know of an end that is still on its way here.
	if info, ok := l.h.manager.Info(i.id); ok && info.Status.Live() {
		l.tell(api.NewChanged(i.wire(info)), i.id)
	}
}

func stopTrouble(r manager.StopResult) string {
	s := r.Info.Name + ": the stop ran out of time"
	for _, p := range r.Survivors {
		s += ", still alive: " + p.Command
	}
	return s
}
