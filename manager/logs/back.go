package logs

import (
	"cmp"
	"slices"

	"github.com/prochost/prochost/manager/proc"
)

// A backReader gives the lines of a log from the last to the first: those, and the marks, that a LineReader gives for
// the same View, in the opposite order. It goes back over the arrivals, and looks at those in which a line ends.
type backReader struct {
	l    *Log
	find Pattern // lines that are given; nil: all
	want [proc.NumStreams]bool

	// It goes from one place to another.
	to      [proc.NumStreams]int64
	bounded bool // to is View.To
	from    [proc.NumStreams]int64
	told    [proc.NumStreams]int64 // bytes that were dropped before from

	there *remains
	marks [proc.NumStreams]int // those of there.dropped that were not met so far
	w     rewind
	done  bool

	parts   []part   // of the piece that was met last, from the last to the first
	endings []ending // of lines that are still to be given, from the first to the last
	found   found    // lines that come behind the endings
	line    partial  // one that is put together
}

// linesBack returns a backReader.
func (l *Log) linesBack(v View, p Pattern) *backReader {
	r := &backReader{l: l, find: p, want: v.streams(), w: *l.rewind()}
	_, _, finished := l.extent()
	lines := l.lines()
	r.to = r.w.end.place
	if v.To != Start() {
		b := l.resolve(v.To, r.want)
		for s := range r.to {
			r.to[s] = b.clip(proc.Stream(s), r.to[s])
		}
		r.bounded, lines = true, b.lines
	}
	start := &Reader{l: l, want: r.want}
	start.seek(v.From)
	r.from, r.told = start.pos, start.dropped
	r.there = newRemains(l, r.w, r.from)
	for s, all := range r.there.dropped {
		r.marks[s] = len(all)
	}
	if finished || r.bounded {
		r.begin(lines)
	}
	return r
}

// begin takes the lines that have no end where r begins, after so many lines.
func (r *backReader) begin(lines int64) {
	for s, pos := range r.to {
		s := proc.Stream(s)
		if begin := r.there.lineBegin(s, pos, r.bounded); r.want[s] && begin < pos {
			r.endings = append(r.endings, ending{piece: r.w.find(s, begin), pos: pos, partial: true, dropped: r.bounded})
		}
	}
	slices.SortFunc(r.endings, func(a, b ending) int { return cmp.Compare(a.order, b.order) })
	for i := range r.endings {
		r.endings[i].number = lines + int64(i) + 1
	}
}

// Done implements lineSource.
func (r *backReader) Done() bool { return r.done }

// Close implements lineSource.
func (r *backReader) Close() {
	r.done = true
	r.there.release()
}

// look implements lineSource.
func (r *backReader) look() (Line, outcome) {
	switch {
	case r.done:
		return Line{}, nothing
	case len(r.found.hits) > 0:
		return r.found.last(), given
	case len(r.endings) > 0:
		return r.fromEnding()
	case len(r.parts) > 0:
		return r.fromPart()
	}
	return r.fromPiece()
}

// fromPiece goes on to the piece before.
func (r *backReader) fromPiece() (Line, outcome) {
	p, ok := piece{}, false
	if len(r.w.pieces) > 0 || r.holds(r.w.page) {
		p, ok = r.w.previous()
	}
	s := p.stream
	switch {
	case !ok:
		r.Close()
		return Line{}, nothing
	case !r.want[s]:
	case p.lost > 0:
		return r.fromMark(p)
	case max(p.from, r.from[s]) < min(p.to, r.to[s]):
		r.parts = r.there.parts(p, max(p.from, r.from[s]), min(p.to, r.to[s]))
	}
	return Line{}, passed
}

// holds reports whether something is wanted that comes before page p.
func (r *backReader) holds(p page) bool {
	for s, from := range r.from {
		if r.want[s] && (p.start.place[s] > from || p.dropped[s] > r.told[s]) {
			return true
		}
	}
	return false
}

// fromMark tells of bytes that were dropped. The line that they broke off comes before.
func (r *backReader) fromMark(p piece) (Line, outcome) {
	s := p.stream
	r.marks[s]--
	lost := min(p.lost, p.dropped-r.told[s])
	if lost <= 0 || r.bounded && p.from >= r.to[s] {
		return Line{}, passed
	}
	if i := r.marks[s]; i == 0 || r.there.dropped[s][i-1] < p.from {
		r.endings = append(r.endings, ending{piece: p, pos: p.from, number: p.before + 1, partial: true, dropped: true})
	}
	return Line{Stream: s, Dropped: lost}, given
}
