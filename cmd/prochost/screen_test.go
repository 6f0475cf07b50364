package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeFeed is a feed whose events are put by the test.
type fakeFeed struct {
	events chan api.Event
	err    error // after the last event; nil: io.EOF
}

func newFakeFeed() *fakeFeed { return &fakeFeed{events: make(chan api.Event)} }

func (f *fakeFeed) Next(ctx context.Context) (api.Event, error) {
	select {
	case e, ok := <-f.events:
		if ok {
			return e, nil
		}
		if f.err != nil {
			return nil, f.err
		}
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// paper is a writer that can be stuck or broken.
type paper struct {
	mu     sync.Mutex
	b      strings.Builder
	writes int
	err    error
	stuck  chan struct{} // nil, or blocks until it is closed
}

func (p *paper) Write(b []byte) (int, error) {
	if p.stuck != nil {
		<-p.stuck
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes++
	if p.err != nil {
		return 0, p.err
	}
	return p.b.Write(b)
}

func (p *paper) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func line(n int) api.Event {
	return api.NewOutput(api.Output{Name: "p", Stream: "stdout", Line: int64(n), Text: fmt.Sprint("line ", n)})
}

// shows runs a screen on people and returns when run has returned.
func shows(t *testing.T, people, programs io.Writer, do func(s *screen, f *fakeFeed)) {
	synctest.Test(t, func(t *testing.T) {
		var out *outlet
		if programs != nil {
			out = &outlet{w: programs, lost: func(error) {}}
		}
		s := newScreen(console.New(console.Options{Terse: programs != nil}), &outlet{w: people, lost: func(error) {}}, out)
		f := newFakeFeed()
		var done sync.WaitGroup
		done.Go(func() { s.run(t.Context(), f) })
		do(s, f)
		close(f.events)
		done.Wait()
	})
}

func TestScreenShowsAtOnceWhatThereIs(t *testing.T) {
	out := &paper{}
	shows(t, out, nil, func(_ *screen, f *fakeFeed) {
		f.events <- line(1)
		synctest.Wait()
		assert.Equal(t, "p | line 1\n", out.text())
		f.events <- line(2)
	})
	assert.Equal(t, "p | line 1\np | line 2\n", out.text())
}

func TestScreenHoldsBackWhileStuck(t *testing.T) {
	out := &paper{}
	var want strings.Builder
	shows(t, out, nil, func(_ *screen, f *fakeFeed) {
		out.stuck = make(chan struct{})
		for n := range 10 * readAhead {
			select {
			case f.events <- line(n):
				fmt.Fprintf(&want, "p | line %d\n", n)
				synctest.Wait()
				continue
			default:
			}
			assert.LessOrEqual(t, n, readAhead+3, "what is taken from the feed is bounded")
			break
		}
		close(out.stuck)
	})
	assert.Equal(t, want.String(), out.text(), "nothing is lost")
	assert.Less(t, out.writes, readAhead/2, "what has gathered goes out together")
}

func TestScreenPrintNeverBlocks(t *testing.T) {
	out := &paper{}
	shows(t, out, nil, func(s *screen, f *fakeFeed) {
		out.stuck = make(chan struct{})
		f.events <- line(1)
		synctest.Wait() // stuck in its write
		for i := range maxPrints + 5 {
			s.print(fmt.Sprint("print ", i))
		}
		close(out.stuck)
		f.events <- line(2)
	})
	assert.Equal(t, maxPrints, strings.Count(out.text(), "prochost | print "))
	assert.Contains(t, out.text(), "! the recipe printed too fast: 5 texts left out\n")
}

// What was printed or noted before an event is shown before it, also if all of it has waited.
func TestScreenKeepsTheOrder(t *testing.T) {
	for range 20 {
		out := &paper{}
		shows(t, out, nil, func(s *screen, f *fakeFeed) {
			out.stuck = make(chan struct{})
			f.events <- line(1)
			synctest.Wait()
			s.print("first")
			s.note(func(c *console.Console, now time.Time) { c.Interrupt("SIGTERM", false, now) })
			f.events <- api.NewHostState("stopping", []string{"a"})
			synctest.Wait()
			close(out.stuck)
		})
		require.Equal(t, "p | line 1\nprochost | first\n         ▪ SIGTERM: stopping a\n", out.text())
	}
}

func TestScreenTicks(t *testing.T) {
	out := &paper{}
	shows(t, out, nil, func(_ *screen, f *fakeFeed) {
		f.events <- api.NewHostState("stopping", []string{"a"})
		f.events <- api.NewChanged(api.Info{ID: "x", Name: "a", Status: "terminating"})
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
	})
	assert.Equal(t, "▪ stopping a\n▪ waiting for a (1s); 1 of 1 left\n▪ waiting for a (3s); 1 of 1 left\n", out.text())
}

func TestScreenJSON(t *testing.T) {
	people, programs := &paper{}, &paper{}
	shows(t, people, programs, func(s *screen, f *fakeFeed) {
		f.events <- line(1)
		s.print("for people")
		f.events <- api.NewTrouble("log", "disk full")
	})
	assert.Equal(t, `{"time":0,"type":"output","id":"","name":"p","stream":"stdout","line":1,"text":"line 1"}
{"time":0,"type":"trouble","what":"log","message":"disk full"}
`, programs.text())
	assert.Equal(t, "prochost | for people\n         ! log: disk full\n", people.text())
}

func TestScreenTellsOfABrokenFeed(t *testing.T) {
	out := &paper{}
	shows(t, out, nil, func(_ *screen, f *fakeFeed) { f.err = errors.New("the log is gone") })
	assert.Equal(t, "! read the events of the host: the log is gone\n", out.text())
}

func TestOutlet(t *testing.T) {
	p := &paper{}
	var lost []error
	o := &outlet{w: p, lost: func(err error) { lost = append(lost, err) }}
	o.Write([]byte("whole\n"))
	o.Write(nil)
	o.Write([]byte("half of a"))
	p.err = syscall.ENOSPC
	o.Write([]byte(" line\n"))
	o.Write([]byte("more\n"))
	assert.Equal(t, []error{syscall.ENOSPC}, lost, "told once")
	p.err = nil
	o.Write([]byte("after\n"))
	assert.Equal(t, "whole\nhalf of a\nafter\n", p.text(), "what comes after a gap begins a line")

	p.err = syscall.EPIPE
	o.Write([]byte("x\n"))
	before := p.writes
	o.Write([]byte("y\n"))
	assert.Equal(t, before, p.writes, "a reader that is gone does not come back")
	assert.Equal(t, int64(before), o.done.Load())
}

func TestOutletTellsThatTheReaderIsGone(t *testing.T) {
	var lost []error
	o := &outlet{w: &paper{err: syscall.EPIPE}, lost: func(err error) { lost = append(lost, err) }}
	o.Write([]byte("x\n"))
	o.Write([]byte("y\n"))
	assert.Equal(t, []error{syscall.EPIPE}, lost)
}
