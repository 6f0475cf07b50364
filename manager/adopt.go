package manager

import (
	"fmt"
	"os"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Adoption is a process that somebody else has started, and what is handed over of it. It need not be a child of
// this program: an earlier run of it may have started it, or a stranger.
type Adoption struct {
	// Spec says what it is, and how it is to be stopped. Dir is required, and Command or Argv. Shell and Stdin
	// say nothing here, and Env is that of the command of a stop.
	Spec     proc.Spec
	Identity proc.Identity
	Started  time.Time // when its start was asked for; zero means now

	// Stdin is the writing end of its standard input, and Output are the reading ends of its output: pipes,
	// sockets or terminals, nil where there is none. With Spec.PTY the two are our end of one terminal. Follow are files that it writes to instead.
	Stdin  *os.File
	Output [proc.NumStreams]*os.File
	Follow [proc.NumStreams]Followed
	// Prior is what others have read of its output before. It is taken as the beginning of its output.
	Prior [proc.NumStreams][]byte

	// Stop is a stop that was asked for before. It goes on, with all of its grace, and is who asked for the
	// end also if that has come meanwhile.
	Stop *proc.StopRequest
	// End is how it has ended, if somebody knows. With it, nobody need have the number any more.
	End *proc.End
	// Told is its record, if its end has been told before. Nothing is told of it, but its leftovers are
	// looked after. Its number need not be anybody's any more.
	Told *proc.Info
}

// Followed is a file that a process writes to. It is read from From on, until the process has ended, and if it becomes
// shorter from its beginning. A zero Followed is none.
type Followed struct {
	Path string
	From int64 // bytes
}

// Adopt takes over a process under id, which is that of an instance of an earlier Manager or a new one, and returns.
// Started will tell of it, and Ended of its end; all that holds for processes that were started here holds for it.
// obs sees its output from here on, and may be nil.
//
// How it ends is what the system says, if it says it to one who is not the parent; else what ReportEnd says; else,
// a second after it has gone, it has vanished. Only a process that leads a process group is signalled as one.
//
// It returns an error only if it refuses, and then the files stay the caller's: the spec is not complete, ErrInUse,
// ErrClosed, a file cannot be read from, ErrStranger. Else they are the Manager's, and it closes them.
func (m *Manager) Adopt(id proc.ID, a Adoption, obs proc.Observer) error {
	refuse := func(err error) error { return fmt.Errorf("adopt %q: %w", a.Spec.Name, err) }
	if err := checkNamed(a.Spec); err != nil {
		return refuse(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.refuses(id); err != nil {
		return refuse(err)
	}
	if a.Told != nil {
		obs = nil
	}
	p := newProcess(m, id, a.Spec.Clone(), obs)
	c, err := m.system.adopt(id, a, p.out, m.keeping(id))
	if err != nil {
		return refuse(err)
	}
	p.taken = &takenOver{child: c, prior: a.Prior, told: a.Told}
	if !a.Started.IsZero() {
		p.state.info.Started = a.Started
	}
	if a.Stop != nil {
		p.state.phase = starting{stops: []stopAsked{{req: *a.Stop, at: time.Now()}}}
	}
	p.publish()
	m.accept(p)
	return nil
}

// takenOver is an adopted process until its owner takes it.
type takenOver struct {
	child child
	prior [proc.NumStreams][]byte
	told  *proc.Info
}

// takeOver begins with an adopted process.
func (p *process) takeOver() {
	t := p.taken
	p.own(t.child)
	if t.told != nil {
		p.leader = nil
		p.survey()
		p.step(resumed{info: *t.told, left: p.named(), at: time.Now()})
	} else {
		p.step(spawned{pid: t.child.pid(), born: t.child.born(), adopted: true, at: time.Now()})
	}
	for s, text := range t.prior {
		if len(text) > 0 {
			p.out.write(proc.Stream(s), text)
		}
	}
	p.child.listen()
	if t.told != nil {
		p.child.drain()
	}
}

// ReportEnd says how an adopted process has ended, for one who reaped it or will have. It is believed once the
// process is gone, and only if the system does not say so itself. ErrNotFound; ErrEnded: the end has been told, or
// is on its way; ErrNotAdopted.
func (m *Manager) ReportEnd(id proc.ID, e proc.End) error {
	reply := make(chan error, 1)
	return ask(m, id, askReport{statusOf(e), reply}, reply)
}

// statusOf returns the wait status that an end stands for.
func statusOf(e proc.End) leaderStatus {
	if sig, is := e.Signal(); is {
		return leaderStatus{known: true, signal: sig}
	}
	if code, is := e.ExitCode(); is && e.Reason() == proc.Returned {
		return leaderStatus{known: true, code: code}
	}
	return leaderStatus{}
}

// closeFiles closes what was handed over, when we have it under descriptors of our own.
func (a Adoption) closeFiles() {
	a.Stdin.Close() // a nil file is none
	for _, f := range a.Output {
		f.Close()
	}
}
