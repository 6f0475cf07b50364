package host

import (
	"context"
	"io"
	"slices"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
)

// FeedOptions say what a feed shows.
type FeedOptions struct {
	Output  bool     // every line of every process, beside the events
	Session string   // whose notifications; default: those of the project
	Types   []string // of the events that are shown; none: all
	// Bounded is for readers that are not trusted to read: what is more than maxBehind events behind is left out, and
	// how much that was is told in its place.
	Bounded bool
}

// maxBehind is how many events wait for a bounded reader.
const maxBehind = 2 * keepEvents

// Feed is what one reader sees of a host: every event, in order, and if asked every line of output. It is read at the
// reader's own pace. Lines come from the logs, so a slow reader slows nobody; events wait in a queue without a bound,
// for they are few and must not be lost.
//
// What an instance has written when an event about it happens is shown before that event.
type Feed struct {
	h     *Host
	opt   FeedOptions
	queue *mailbox[queued]
	wake  chan struct{} // capacity 1: there is output

	missed int64 // events that found no room since the last one that did; guarded by the hub

	// owned by the reader
	taken []queued
	taps  []*tap
	turn  int // whose lines come next
	burst int // lines of the tap in turn that were shown in a row
}

// queued is an event on its way to a reader.
type queued struct {
	event api.Event
	seq   uint64
	of    proc.ID
	upTo  int64 // bytes that the instance had written
}

// maxBurst is how many lines of one process are shown before those of another get their turn.
const maxBurst = 64

// Subscribe returns a feed that shows what happens from now on.
func (h *Host) Subscribe(opt FeedOptions) *Feed {
	f := h.feed(opt)
	h.hub.add(f)
	return f
}

func (h *Host) feed(opt FeedOptions) *Feed {
	return &Feed{h: h, opt: opt, queue: newMailbox[queued](), wake: make(chan struct{}, 1)}
}

// follow shows the output of an instance that runs, from here on.
func (f *Feed) follow(i *instance) { f.open(i.id, i.spec.Name, logs.End()) }

// Close ends the feed; Next returns io.EOF from now on.
func (f *Feed) Close() {
	f.h.hub.remove(f)
	f.queue.close()
	for _, t := range f.taps {
		t.close()
	}
	f.taps = nil
}

// put hands an event to the feed; it is called with the events in their order.
func (f *Feed) put(q queued) {
	if n, ok := q.event.(*api.Notified); ok && n.Notification.Session != f.opt.Session {
		return
	}
	if !f.opt.Output && !f.shows(q.event) {
		return
	}
	if f.opt.Bounded {
		if f.queue.len() >= maxBehind {
			f.missed++
			return
		}
		if f.missed > 0 {
			f.queue.put(queued{event: api.NewLagged(f.missed)})
			f.missed = 0
		}
	}
	f.queue.put(q)
}

// shows reports whether the reader wants to see e. What it does not want to see may still say where its output ends.
func (f *Feed) shows(e api.Event) bool {
	if len(f.opt.Types) == 0 {
		return true
	}
	switch e.(type) {
	case *api.Snapshot, *api.Lagged:
		return true
	}
	return slices.Contains(f.opt.Types, e.Head().Type)
}

func (f *Feed) ring() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Next returns the next event or line. It waits until there is one, ctx is done, or the host has stopped and all was
// shown (io.EOF). It is for one reader at a time.
func (f *Feed) Next(ctx context.Context) (api.Event, error) {
	for {
		f.taken = append(f.taken, f.queue.take()...)
		if len(f.taken) > 0 {
			if e := f.event(); f.shows(e) {
				return e, nil
			}
			continue
		}
		if line := f.line(); line != nil {
			return line, nil
		}
		if f.queue.done() {
			return nil, io.EOF
		}
		select {
		case <-f.queue.wake:
		case <-f.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// event returns the next event, or a line that is to be shown before it.
func (f *Feed) event() api.Event {
	next := f.taken[0]
	t := f.tap(next.of)
	if t != nil {
		if line := t.before(next.upTo); line != nil {
			return line
		}
		if _, over := next.event.(*api.Ended); over {
			if line := t.rest(); line != nil {
				return line
			}
			f.drop(t)
		}
	}
	f.taken = f.taken[1:]
	if s, ok := next.event.(*api.Started); ok && f.tap(next.of) == nil {
		f.open(next.of, s.Process.Name, logs.Start())
	}
	return next.event
}

// open shows the output of an instance from a position on.
func (f *Feed) open(id proc.ID, name string, from logs.Position) {
	if !f.opt.Output {
		return
	}
	t := &tap{id: id, name: name}
	if l := f.h.logs.get(id); l != nil {
		t.lines = l.Lines(logs.View{From: from, Wake: f.ring})
	}
	f.taps = append(f.taps, t)
}

// line returns a line that is there, of the processes in turn.
func (f *Feed) line() api.Event {
	if len(f.taps) == 0 {
		return nil
	}
	for range len(f.taps) + 1 { // the one whose burst is over comes again if nobody else has a line
		f.turn %= len(f.taps)
		if f.burst < maxBurst {
			if line := f.taps[f.turn].next(); line != nil {
				f.burst++
				return line
			}
		}
		f.turn, f.burst = f.turn+1, 0
	}
	return nil
}

func (f *Feed) tap(id proc.ID) *tap {
	for _, t := range f.taps {
		if t.id == id {
			return t
		}
	}
	return nil
}

func (f *Feed) drop(t *tap) {
	t.close()
	for i := range f.taps {
		if f.taps[i] == t {
			f.taps = append(f.taps[:i], f.taps[i+1:]...)
			return
		}
	}
}
