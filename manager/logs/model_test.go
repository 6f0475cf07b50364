package logs

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/prochost/prochost/manager/proc"
)

// model remembers what a Log was given, as simply as can be.
type model struct {
	arrivals []arrival
	kept     [proc.NumStreams][]byte // every byte that was written, rotated out or not
	dropped  [proc.NumStreams]int64
	ends     int64 // line ends
}

type arrival struct {
	stream proc.Stream
	from   [proc.NumStreams]int64 // what was kept of the streams before it
	size   int64
	ends   int64 // line ends before it
}

// took records that n bytes of p were kept, and the rest was dropped.
func (m *model) took(s proc.Stream, p []byte, n int64) {
	a := arrival{stream: s, size: n, ends: m.ends}
	for t := range m.kept {
		a.from[t] = int64(len(m.kept[t]))
	}
	m.kept[s] = append(m.kept[s], p[:n]...)
	m.dropped[s] += int64(len(p)) - n
	m.ends += count(p)
	if n > 0 {
		m.arrivals = append(m.arrivals, a)
	}
}

// of returns the arrival that brought the byte of s at pos.
func (m *model) of(s proc.Stream, pos int64) arrival {
	i, _ := slices.BinarySearchFunc(m.arrivals, pos, func(a arrival, pos int64) int {
		end := a.from[s]
		if a.stream == s {
			end += a.size
		}
		if end <= pos {
			return -1
		}
		return 1
	})
	return m.arrivals[i]
}

// checked is a Reader, every chunk of which is held against the model.
type checked struct {
	*Reader
	m       *model
	pos     [proc.NumStreams]int64
	dropped [proc.NumStreams]int64
	gaps    int64
	ordered bool // the order of the streams is to be right
}

func check(r *Reader, m *model) *checked {
	return &checked{Reader: r, m: m, pos: r.pos, dropped: r.dropped, ordered: true}
}

func (r *checked) step(t testing.TB) bool {
	c, ok := r.Next()
	if !ok {
		return false
	}
	s, pos := c.Stream, r.pos[c.Stream]
	if n := min(1, len(c.Data)) + int(min(1, c.Gap)) + int(min(1, c.Dropped)); n != 1 {
		t.Fatalf("chunk %+v is not one thing", c)
	}
	switch {
	case c.Gap > 0:
		r.gaps += c.Gap
		for p := pos; p < pos+c.Gap; p++ {
			if g, _ := r.l.streams[s].find(p); g != nil && r.l.readAt(s, make([]byte, 1), p) {
				t.Fatalf("gap of %d bytes of %s at %d, but the byte at %d is there", c.Gap, s, pos, p)
			}
		}
		r.pos[s] += c.Gap
		return true
	case c.Dropped > 0:
		r.dropped[s] += c.Dropped
		return true
	}
	end := pos + int64(len(c.Data))
	if end > int64(len(r.m.kept[s])) || !bytes.Equal(c.Data, r.m.kept[s][pos:end]) {
		t.Fatalf("bytes of %s from %d to %d are %.99q, want %.99q", s, pos, end, c.Data, r.m.kept[s][pos:])
	}
	r.pos[s] = end
	if !r.ordered {
		return true
	}
	first, last := r.m.of(s, pos), r.m.of(s, end-1)
	other := 1 - s
	if r.want[other] && r.pos[other] != first.from[other] && r.pos[other] < int64(len(r.m.kept[other])) {
		// The other stream may have begun later, in the middle of what came before.
		if r.pos[other] < first.from[other] || r.m.of(other, r.pos[other]).from[s] < pos {
			t.Fatalf("bytes of %s from %d come when %s is at %d, want it at %d", s, pos, other, r.pos[other], first.from[other])
		}
	}
	if first.from[other] != last.from[other] {
		t.Fatalf("bytes of %s from %d to %d in one chunk, but %s came between", s, pos, end, other)
	}
	if want := first.ends + count(r.m.kept[s][first.from[s]:pos]); c.Lines != want {
		t.Fatalf("bytes of %s from %d come after %d lines, want %d", s, pos, c.Lines, want)
	}
	return true
}

// finish reads to the end of a log that is closed, and checks that nothing is missing.
func (r *checked) finish(t testing.TB) {
	for r.step(t) {
	}
	if !r.Done() {
		t.Fatal("not done at the end of a log that is closed")
	}
	for s := range r.pos {
		if !r.want[s] {
			continue
		}
		if r.pos[s] != int64(len(r.m.kept[s])) {
			t.Fatalf("read %s up to %d, want %d", proc.Stream(s), r.pos[s], len(r.m.kept[s]))
		}
		if r.dropped[s] != r.m.dropped[s] {
			t.Fatalf("told of %d dropped bytes of %s, want %d", r.dropped[s], proc.Stream(s), r.m.dropped[s])
		}
	}
}

// lines returns the lines that a LineReader has to give of a log of which nothing was lost.
func (m *model) lines() (all []string) {
	var open [proc.NumStreams][]byte
	var began [proc.NumStreams]int
	add := func(s proc.Stream, raw []byte, partial bool) {
		all = append(all, format(Line{Stream: s, Number: int64(len(all) + 1), Raw: bytes.TrimRight(raw, "\r"), Partial: partial}))
	}
	for i, a := range m.arrivals {
		s := a.stream
		for _, b := range m.kept[s][a.from[s] : a.from[s]+a.size] {
			if len(open[s]) == 0 {
				began[s] = i
			}
			if b != '\n' {
				open[s] = append(open[s], b)
				continue
			}
			add(s, open[s], false)
			open[s] = nil
		}
	}
	order := []proc.Stream{proc.Stdout, proc.Stderr}
	if began[proc.Stderr] < began[proc.Stdout] {
		slices.Reverse(order)
	}
	for _, s := range order {
		if len(open[s]) > 0 {
			add(s, open[s], true)
		}
	}
	return all
}

func format(l Line) string {
	return fmt.Sprintf("%d %s %.50q %d %v %v", l.Number, l.Stream, l.Raw, len(l.Raw), l.Partial, l.Truncated)
}
