package logs

import (
	"github.com/prochost/prochost/manager/proc"
)

// A bound is where a Reader ends. The nil bound is none.
type bound struct {
	to    [proc.NumStreams]int64 // positions; of streams that are not read, 0
	lines int64                  // line ends before it, as far as lines without an end are numbered that it cuts off
}

// resolve finds out where a position is for the streams that are read.
func (l *Log) resolve(p Position, want [proc.NumStreams]bool) *bound {
	there := &Reader{l: l, want: want}
	there.seek(p)
	b := &bound{lines: l.lines()}
	if p.kind == fromLine {
		b.lines = p.n - 1
	}
	for s := range b.to {
		if want[s] {
			b.to[s] = there.pos[s]
		}
	}
	return b
}

// clip returns the position to, or the bound if it comes before.
func (b *bound) clip(s proc.Stream, to int64) int64 {
	if b == nil {
		return to
	}
	return min(to, b.to[s])
}

// holdsOff reports whether r has given everything of s before the bound. What was dropped there comes behind it.
func (b *bound) holdsOff(r *Reader, s proc.Stream) bool { return b != nil && r.pos[s] >= b.to[s] }

// reached reports whether r has given everything before the bound.
func (b *bound) reached(r *Reader) bool {
	for s, want := range r.want {
		if want && !b.holdsOff(r, proc.Stream(s)) {
			return false
		}
	}
	return true
}

// lines returns how many line ends have arrived.
func (l *Log) lines() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.last().lines
}
