package logs

import (
	"bytes"
	"slices"

	"github.com/prochost/prochost/manager/proc"
)

// remains is what there was of a log at some time: which bytes can be read, and where lines were broken off. It finds
// where lines begin.
type remains struct {
	l       *Log
	floor   [proc.NumStreams]int64    // what comes before it does not count
	extents [proc.NumStreams][]extent // in order
	dropped [proc.NumStreams][]int64  // positions behind which some was dropped, in order
	windows [proc.NumStreams]window
}

// An extent is a stretch of a stream that is there.
type extent struct{ from, to int64 }

// newRemains looks at the files, and with a copy of w, which stands at the end, at what was dropped.
func newRemains(l *Log, w rewind, floor [proc.NumStreams]int64) *remains {
	m := &remains{l: l, floor: floor}
	l.mu.Lock()
	dropped := l.dropped
	for s := range m.extents {
		for g := range l.streams[s].all {
			m.add(proc.Stream(s), l.readable(g))
		}
	}
	l.mu.Unlock()
	if dropped == [proc.NumStreams]int64{} {
		return m
	}
	for p, ok := w.previous(); ok; p, ok = w.previous() {
		if p.lost > 0 {
			m.dropped[p.stream] = append(m.dropped[p.stream], p.from)
		}
	}
	for _, all := range m.dropped {
		slices.Reverse(all)
	}
	return m
}

// add adds an extent behind those of s.
func (m *remains) add(s proc.Stream, e extent) {
	all := &m.extents[s]
	switch last := len(*all) - 1; {
	case e.from == e.to:
	case last >= 0 && (*all)[last].to == e.from:
		(*all)[last].to = e.to
	default:
		*all = append(*all, e)
	}
}

// readable returns what can be read of a segment. The lock is held.
func (l *Log) readable(g *segment) extent {
	e := extent{g.base, g.base}
	if f := l.openSegment(g); f != nil {
		if info, err := f.Stat(); err == nil {
			e.to += min(g.size, info.Size())
		}
	}
	return e
}

// within returns the stretch that is there around the byte before pos, empty if it is not there.
func (m *remains) within(s proc.Stream, pos int64) extent {
	for _, e := range m.extents[s] {
		if e.from = max(e.from, m.floor[s]); e.from < pos && pos <= e.to {
			return e
		}
	}
	return extent{pos, pos}
}

// stretch returns where the stretch begins that ends at pos, and whether it is one that is there.
func (m *remains) stretch(s proc.Stream, pos int64) (begin int64, there bool) {
	if e := m.within(s, pos); e.from < pos {
		return e.from, true
	}
	for _, e := range m.extents[s] {
		if e.to < pos {
			begin = e.to
		}
	}
	return begin, false
}

// lineBegin returns where the line of s begins that ends at pos, which is pos if there is nothing of it. It comes
// before what was dropped at pos, or behind it.
func (m *remains) lineBegin(s proc.Stream, pos int64, before bool) int64 {
	low := m.within(s, pos).from
	behind := pos
	if !before {
		behind++
	}
	if i, _ := slices.BinarySearch(m.dropped[s], behind); i > 0 {
		low = max(low, m.dropped[s][i-1])
	}
	for to := pos; to > low; {
		b := m.read(s, to, 1)
		if len(b) == 0 {
			return to
		}
		b = b[max(0, int64(len(b))-(to-low)):]
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return to - int64(len(b)-i-1)
		}
		to -= int64(len(b))
	}
	return low
}

// read returns bytes of s up to pos: those that lie there together or as many as were asked for, which are no more than
// a window, and maybe more; none if they are gone. They are valid until the next call for s.
func (m *remains) read(s proc.Stream, pos, atLeast int64) []byte {
	w := &m.windows[s]
	begin := m.within(s, pos).from
	if w.buf == nil || pos > w.at+int64(w.size) || w.at > max(begin, pos-atLeast) {
		from := max(begin, pos-windowSize)
		if w.buf == nil {
			w.buf = windows.Get().(*[windowSize]byte)
		}
		w.at, w.size = from, int(pos-from)
		if !m.l.readAt(s, w.buf[:w.size], from) {
			w.size = 0
		}
	}
	return w.buf[:max(0, min(pos-w.at, int64(w.size)))]
}

// release lets go of what was read.
func (m *remains) release() {
	for s := range m.windows {
		m.windows[s].release()
	}
}
