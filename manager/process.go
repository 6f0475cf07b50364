package manager

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// process is one instance: the handle that others hold, and what its owner, run, keeps.
type process struct {
	m      *Manager
	id     proc.ID
	number uint64 // in order of acceptance; set before run
	spec   proc.Spec
	out    *output
	taken  *takenOver // nil if it is to be spawned; set before run

	control chan control
	spawn   chan spawnResult
	revise  chan revised  // holds the newest, until it is taken
	done    chan struct{} // closed when run has returned
	view    atomic.Pointer[view]

	// owned by run
	state   state
	child   child // nil until spawned
	census  census
	timer   *time.Timer
	waiting []chan<- answer
	held    []control       // what waits for the spawn, or for the wait status
	leader  <-chan struct{} // nil unless the leader lives
	streams <-chan struct{} // nil unless an output stream is open
	changed <-chan struct{} // nil unless another look at the members is due at some time
	unwatch func()
	command *stopCommand // of the last stop that had one
}

// view is what others see of a process.
type view struct {
	info proc.Info
	stop answer // what a stop is answered when there is no owner left to ask
}

type spawnResult struct {
	child child
	err   error
}

func newProcess(m *Manager, id proc.ID, spec proc.Spec, obs proc.Observer) *process {
	p := &process{
		m: m, id: id, spec: spec, out: newOutput(obs),
		control: make(chan control), spawn: make(chan spawnResult), revise: make(chan revised, 1), done: make(chan struct{}),
		state: newState(id, spec, time.Now()), unwatch: func() {},
	}
	p.publish()
	return p
}

func (p *process) info() proc.Info { return p.view.Load().info }

// run owns the process until nothing of it is left to look after.
//
//	requests ─┐
//	leader   ─┤          ┌──────┐  state  ┌─────────┐  events, signals,
//	members  ─┼─ input ─▶│ step │────────▶│ perform │─▶ deadlines, answers
//	timer    ─┘          └──────┘ effects └─────────┘
func (p *process) run() {
	defer close(p.done)
	defer p.close()
	p.timer = time.NewTimer(time.Hour)
	p.timer.Stop()
	p.openLog()
	if p.taken != nil {
		p.takeOver()
	} else {
		go p.start()
	}

	quit, quitting := p.m.quit, false
	for !p.finished(quitting) {
		select {
		case c := <-p.control:
			p.take(c)
		case r := <-p.spawn:
			p.spawned(r)
		case r := <-p.revise:
			p.step(r)
		case over := <-p.command.ended():
			p.step(over)
		case <-p.leader:
			p.leaderOver()
		case <-p.changed:
			p.changed = nil
			p.survey()
			p.step(surveyed{left: p.named(), at: time.Now()})
		case <-p.timer.C:
			p.survey()
			p.step(due{left: p.named(), at: time.Now()})
		case <-p.streams:
			p.streams = nil
		case <-quit:
			quit, quitting = nil, true
		}
	}
}

// finished reports whether nothing is left to look after. When the manager quits, everything has been asked
// to end before: what is over need not wait for streams that others hold open, and what has outlived SIGKILL
// or hangs in its spawn is left.
func (p *process) finished(quitting bool) bool {
	switch p.state.phase.(type) {
	case over:
		return quitting || p.streams == nil
	case timedOut, starting:
		return quitting
	}
	return false
}

// step lets the input change the state and carries out what follows.
func (p *process) step(in input) {
	var effects []effect
	p.state, effects = step(p.state, in)
	for _, e := range effects {
		p.perform(e)
	}
	p.publish()
}

// publish shows the state to others. It comes with every event, and so after a drain and before a signal:
// whoever sees an end finds all of the output in the log.
func (p *process) publish() {
	v := &view{info: p.state.info}
	switch phase := p.state.phase.(type) {
	case over:
		v.stop = phase.answer(v.info)
	case timedOut:
		v.stop = answer{result: StopResult{Info: v.info, Reason: ReasonTimeout}}
	default:
		v.stop = answer{StopResult{Info: v.info}, ErrClosed}
	}
	p.view.Store(v)
}

// start waits for its turn and spawns. Nobody may be there to take the child: then it does not live.
func (p *process) start() {
	select {
	case p.m.slots <- struct{}{}:
	case <-p.done:
		return
	}
	c, err := p.m.system.start(p.id, p.spec, p.out, p.m.keeping(p.id))
	<-p.m.slots
	select {
	case p.spawn <- spawnResult{c, err}:
	case <-p.done:
		if err == nil {
			discard(c)
		}
	}
}

// spawned follows the spawn. What had to wait for it is taken up.
func (p *process) spawned(r spawnResult) {
	if r.err != nil {
		p.step(spawnFailed{cause: r.err, at: time.Now()})
	} else {
		p.own(r.child)
		p.step(spawned{pid: r.child.pid(), born: r.child.born(), at: time.Now()})
		p.child.listen()
	}
	p.takeHeld()
}

func (p *process) own(c child) {
	p.child = c
	p.leader, p.streams = c.over(), c.closed()
}

// takeHeld takes the requests that had to wait.
func (p *process) takeHeld() {
	held := p.held
	p.held = nil
	for _, c := range held {
		p.take(c)
	}
}

// leaderOver follows the end of the leader.
func (p *process) leaderOver() {
	p.leader = nil
	in := leaderGone{end: leaderEnd{at: time.Now()}}
	in.end.status, _ = p.child.status()
	p.survey()
	in.left = p.named()
	if _, byItself := p.state.phase.(running); byItself && in.end.status.signal == syscall.SIGKILL {
		in.outOfMemory = p.child.outOfMemory()
	}
	p.step(in)
	p.takeHeld()
}

// noticeEnd makes sure that an end which the system knows of precedes what is asked next: a stop that comes
// after it has come too late, however late the owner hears of the end.
func (p *process) noticeEnd() {
	if p.leader == nil {
		return
	}
	if _, is := p.child.status(); is {
		p.leaderOver()
	}
}

func (p *process) survey() {
	if p.child != nil {
		p.census = p.child.survey()
	}
}

// named is what the last survey found, with names.
func (p *process) named() left {
	l := p.census.count()
	if p.child != nil {
		l.names, l.doubt = p.child.name(p.census.all()), p.child.name(p.census.doubt)
	}
	return l
}

// close lets go of what is open.
func (p *process) close() {
	p.timer.Stop()
	p.unwatch()
	p.command.close()
	if p.child != nil {
		p.child.abandon()
	}
	if err := p.out.close(); err != nil {
		p.m.trouble("log", fmt.Sprintf("close the log of %q: %v", p.spec.Name, err))
	}
}

// send hands c to the owner, and returns an error if the owner is gone or ctx ends first. Also then c gets to
// the owner, if there is one.
func (p *process) send(ctx context.Context, c control) error {
	select {
	case p.control <- c:
		return nil
	case <-p.done:
		return ErrEnded
	case <-ctx.Done():
		go func() {
			select {
			case p.control <- c:
			case <-p.done:
			}
		}()
		return ctx.Err()
	}
}
