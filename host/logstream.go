package host

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
)

// Logs returns lines of output.
func (s service) Logs(ctx context.Context, in api.LogsIn) (api.Stream, error) {
	return s.lines(ctx, in)
}

// lines returns the lines of the instances that are named, in the order of their arrival as far as they are there,
// and then as they come.
func (s service) lines(ctx context.Context, in api.LogsIn) (*logStream, error) {
	only, err := streams(in.Stream)
	if err != nil {
		return nil, err
	}
	matches, err := lineFilter(in.Pattern, in.Mode)
	if err != nil {
		return nil, err
	}
	if in.TailLines != nil && *in.TailLines < 0 {
		return nil, api.Invalid("tailLines", "it cannot be negative")
	}
	f := &logStream{s: s, only: only, matches: matches, follow: in.Follow, wake: make(chan struct{}, 1)}
	from := logs.Start()
	switch {
	case in.Since > 0:
		from = logs.Since(time.UnixMilli(in.Since))
	case in.TailLines != nil && matches == nil:
		from = logs.Tail(*in.TailLines)
	}
	var names []string
	if in.Follow && (in.Successors || len(in.IDs) == 0) {
		f.later = s.Subscribe(FeedOptions{Types: []string{"started"}, Bounded: true})
	}
	chosen, err := ask(ctx, s.Host, func(l *loop, _ time.Time) ([]*instance, error) {
		if len(in.IDs) == 0 {
			return l.instances(), nil
		}
		var chosen []*instance
		for n, ref := range in.IDs {
			t, err := l.find(field("ids", n), ref)
			if err != nil {
				return nil, err
			}
			names = append(names, t.name())
			if t.i != nil && !slices.Contains(chosen, t.i) {
				chosen = append(chosen, t.i)
			}
		}
		return chosen, nil
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	f.names = names
	for _, i := range chosen {
		f.open(i.id, i.spec.Name, from)
	}
	if in.TailLines != nil && (matches != nil || in.Since > 0 || f.severalOfAName()) {
		f.tail(ctx, *in.TailLines)
	}
	return f, nil
}

// logStream is the lines of several instances, merged by the time of their arrival. Each is read from its log at the
// reader's pace. It is for one reader at a time.
type logStream struct {
	s       service
	only    []proc.Stream
	matches func(string) bool // nil: every line
	follow  bool
	names   []string      // whose successors are followed; none: everybody's
	later   *Feed         // nil: no instance is added
	wake    chan struct{} // capacity 1: there is output

	taps  []*logTap
	ready []api.Event // lines that go before those of the taps
}

// logTap is one instance, with the line that it is to show next.
type logTap struct {
	tap
	next *api.Output
	over bool // nothing more comes
}

func (f *logStream) open(id proc.ID, name string, from logs.Position) {
	log := f.s.Host.logs.get(id)
	if log == nil || slices.ContainsFunc(f.taps, func(t *logTap) bool { return t.id == id }) {
		return
	}
	lines := log.Lines(logs.View{From: from, Only: f.only, Wake: f.ring})
	f.taps = append(f.taps, &logTap{tap: tap{id: id, name: name, lines: lines}})
}

func (f *logStream) ring() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// severalOfAName reports whether two of the instances bear one name.
func (f *logStream) severalOfAName() bool {
	seen := map[string]bool{}
	for _, t := range f.taps {
		if seen[t.name] {
			return true
		}
		seen[t.name] = true
	}
	return false
}

// tail keeps, of what is there, the last n lines of each name.
func (f *logStream) tail(ctx context.Context, n int) {
	last := map[string][]*api.Output{}
	for ctx.Err() == nil {
		line := f.line()
		if line == nil {
			break
		}
		lines := append(last[line.Name], line)
		last[line.Name] = lines[max(len(lines)-n, 0):]
	}
	var all []*api.Output
	for _, t := range f.taps {
		all = append(all, last[t.name]...)
		delete(last, t.name)
	}
	slices.SortStableFunc(all, func(a, b *api.Output) int { return int(a.Time - b.Time) })
	for _, line := range all {
		f.ready = append(f.ready, line)
	}
}

// Close ends the stream.
func (f *logStream) Close() {
	for _, t := range f.taps {
		t.lines.Close()
	}
	f.taps = nil
	if f.later != nil {
		f.later.Close()
	}
}

// Next returns the next line. io.EOF: all was shown, and nothing more is followed.
func (f *logStream) Next(ctx context.Context) (api.Event, error) {
	for {
		if len(f.ready) > 0 {
			e := f.ready[0]
			f.ready = f.ready[1:]
			return e, nil
		}
		if line := f.line(); line != nil {
			return line, nil
		}
		f.taps = slices.DeleteFunc(f.taps, func(t *logTap) bool {
			if t.over {
				t.lines.Close()
			}
			return t.over
		})
		if !f.follow || len(f.taps) == 0 && f.later == nil {
			return nil, io.EOF
		}
		if err := f.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wait waits for output, or for an instance that is to be followed.
func (f *logStream) wait(ctx context.Context) error {
	var more <-chan struct{}
	if f.later != nil {
		more = f.later.queue.wake
		for _, q := range f.later.queue.take() {
			if s, ok := q.event.(*api.Started); ok && (len(f.names) == 0 || slices.Contains(f.names, s.Process.Name)) {
				f.open(proc.ID(s.Process.ID), s.Process.Name, logs.Start())
				f.ring()
			}
		}
		if f.later.queue.done() {
			f.later = nil
			return nil
		}
	}
	select {
	case <-f.wake:
		return nil
	case <-more:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// line returns the earliest line that is there and matches.
func (f *logStream) line() *api.Output {
	var first *logTap
	for _, t := range f.taps {
		if t.next == nil && !t.over {
			f.fill(t)
		}
		if t.next != nil && (first == nil || t.next.Time < first.next.Time) {
			first = t
		}
	}
	if first == nil {
		return nil
	}
	line := first.next
	first.next = nil
	return line
}

// fill looks for the next line of t that matches.
func (f *logStream) fill(t *logTap) {
	for t.next == nil {
		l, ok := t.lines.Next()
		if !ok && (t.lines.Done() || !f.follow) {
			t.over = true
			l, ok = t.lines.Flush()
			if ok {
				t.over = false // there may be one of the other stream
			}
		}
		if !ok {
			return
		}
		if f.matches == nil || f.matches(visible(l)) {
			t.next = t.output(l)
		}
	}
}
