package manager

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// fakeChild is a child that does what a test says, and writes down what is done to it.
type fakeChild struct {
	out     *output
	adopted bool
	ended   chan struct{}
	ignore  bool // TERM does nothing

	mu       sync.Mutex
	result   *leaderStatus
	ending   bool // the leader is gone, and result is to come
	others   census
	gone     chan struct{} // closed when others change
	done     []string      // what was done, with the time
	birth    time.Time
	unread   string // written, and not read yet
	first    string // what there is to read at once
	oom      bool
	noWatch  bool
	unsure   int           // so many surveys say nothing
	hold     chan struct{} // letGo waits for it, if it is set
	stubborn bool          // KILL does nothing either
}

func newFakeChild(out *output) *fakeChild {
	return &fakeChild{out: out, ended: make(chan struct{}), gone: make(chan struct{}), birth: time.Now()}
}

func (c *fakeChild) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, time.Since(c.birth).String()+" "+what)
}

func (c *fakeChild) notes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.done)
}

// settle gives the leader a wait status, of which nobody is told yet.
func (c *fakeChild) settle(st leaderStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result == nil {
		c.result = &st
	}
}

// end ends the leader.
func (c *fakeChild) end(st leaderStatus) {
	c.settle(st)
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.ended:
	default:
		close(c.ended)
	}
}

// leave sets who lives beside the leader.
func (c *fakeChild) leave(others census) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.others = others
	close(c.gone)
	c.gone = make(chan struct{})
}

func (c *fakeChild) pid() int                { return 10 }
func (c *fakeChild) born() uint64            { return 77 }
func (c *fakeChild) over() <-chan struct{}   { return c.ended }
func (c *fakeChild) outOfMemory() bool       { return c.oom }
func (c *fakeChild) input() *stdin           { return nil }
func (c *fakeChild) closed() <-chan struct{} { return c.ended }
func (c *fakeChild) abandon()                { c.note("abandon") }
func (c *fakeChild) signal(_ member, sig syscall.Signal) {
	if sig != syscall.SIGCONT && sig != syscall.SIGSTOP {
		c.note("stray " + signalName(sig))
	}
}

func (c *fakeChild) pending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending && c.result == nil
}

// report ends an adopted leader that was only waiting for it.
func (c *fakeChild) report(st leaderStatus) bool {
	if c.adopted && c.pending() {
		c.end(st)
	}
	return c.adopted
}

func (c *fakeChild) letGo(keep bool) {
	c.note("let go" + map[bool]string{true: ", kept"}[keep])
	if c.hold != nil {
		<-c.hold
	}
}

func (c *fakeChild) status() (leaderStatus, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result == nil {
		return leaderStatus{}, false
	}
	return *c.result, true
}

func (c *fakeChild) survey() census {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unsure > 0 {
		c.unsure--
		return census{unsure: true}
	}
	return c.others
}

func (c *fakeChild) name(ms []member) []proc.Leftover {
	var ls []proc.Leftover
	for _, m := range ms {
		ls = append(ls, proc.Leftover{PID: m.pid, Command: "other"})
	}
	return ls
}

func (c *fakeChild) watch(m member) (<-chan struct{}, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.others.all(), m) {
		gone := make(chan struct{})
		close(gone)
		return gone, func() {}, nil
	}
	if c.noWatch {
		return nil, nil, errors.New("cannot watch")
	}
	return c.gone, func() {}, nil
}

func (c *fakeChild) signalGroup(sig syscall.Signal) {
	if sig == syscall.SIGCONT || sig == syscall.SIGSTOP {
		return
	}
	c.note(signalName(sig))
	if sig == syscall.SIGKILL && !c.stubborn || sig == syscall.SIGTERM && !c.ignore {
		c.leave(census{})
		c.end(leaderStatus{known: true, signal: sig})
	}
}

func (c *fakeChild) signalLeader(sig syscall.Signal) {
	if sig == syscall.SIGCONT {
		return
	}
	c.note("leader " + signalName(sig))
	if sig == syscall.SIGTERM && !c.ignore {
		c.end(leaderStatus{known: true, signal: sig})
	}
}

func (c *fakeChild) listen() {
	if c.first != "" {
		go c.out.write(proc.Stdout, []byte(c.first))
	}
}

func (c *fakeChild) resize(w proc.Window) error {
	c.note(fmt.Sprintf("resize %d×%d", w.Rows, w.Cols))
	return nil
}

func (c *fakeChild) drain() {
	c.mu.Lock()
	text := c.unread
	c.unread = ""
	c.mu.Unlock()
	if text != "" {
		c.out.write(proc.Stdout, []byte(text))
	}
}

// fakeSystem starts fake children.
type fakeSystem struct {
	begin    func(spec proc.Spec, c *fakeChild) error // may block; nil starts at once
	handOver func(c *fakeChild)                       // what has become of an adopted one; nil: it runs

	mu       sync.Mutex
	children map[string]*fakeChild // by name
	closed   bool
}

func (s *fakeSystem) start(_ proc.ID, spec proc.Spec, out *output, _ *keeping) (child, error) {
	c := newFakeChild(out)
	if s.begin != nil {
		if err := s.begin(spec, c); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children[spec.Name] = c
	return c, nil
}

func (s *fakeSystem) adopt(_ proc.ID, a Adoption, out *output, _ *keeping) (child, error) {
	c := newFakeChild(out)
	c.adopted = true
	if s.handOver != nil {
		s.handOver(c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children[a.Spec.Name] = c
	return c, nil
}

func (s *fakeSystem) close() []proc.Leftover {
	s.closed = true
	return nil
}

func (s *fakeSystem) child(name string) *fakeChild {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.children[name]
}

// fakeHost is a Manager of fake children that remembers what it is told.
type fakeHost struct {
	*Manager
	t   *testing.T
	sys *fakeSystem

	mu       sync.Mutex
	events   []proc.Event
	troubles []string
}

func newFakeHost(t *testing.T) *fakeHost {
	h := &fakeHost{t: t, sys: &fakeSystem{children: map[string]*fakeChild{}}}
	h.Manager = newManager(Options{
		Events: func(e proc.Event) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.events = append(h.events, e)
		},
		Trouble: func(what, message string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.troubles = append(h.troubles, what+": "+message)
		},
	}, h.sys)
	return h
}

// start starts a process whose id is its name.
func (h *fakeHost) start(name string) proc.ID {
	h.t.Helper()
	if err := h.Start(proc.ID(name), fakeSpec(name), nil); err != nil {
		h.t.Fatal(err)
	}
	return proc.ID(name)
}

func fakeSpec(name string) proc.Spec {
	return proc.Spec{Name: name, Argv: []string{"fake"}, Dir: "/"}
}

// told returns what was told of id, in words.
func (h *fakeHost) told(id proc.ID) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var words []string
	for _, e := range h.events {
		if infoOf(e).ID != id {
			continue
		}
		word := infoOf(e).Status.String()
		switch e := e.(type) {
		case proc.Started:
			word = "started"
		case proc.Ended:
			word = "ended " + showEnd(e.End)
			if e.Stop != nil {
				word += " by " + e.Stop.By.String()
			}
		}
		words = append(words, word)
	}
	return words
}

func (h *fakeHost) endOf(id proc.ID) (end proc.Ended, is bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if e, ended := e.(proc.Ended); ended && e.Info.ID == id {
			return e, true
		}
	}
	return proc.Ended{}, false
}
