package logs

import "github.com/prochost/prochost/manager/proc"

// seek sets out from a position: it fills pos and dropped, and enters the first page that is needed.
func (r *Reader) seek(p Position) {
	switch p.kind {
	case fromEnd:
		r.seekEnd()
	case fromTail:
		r.seekTail(p.n)
	case fromTime:
		r.seekTime(p.t.UnixMilli())
	case fromNumber:
		r.seekNumber(p.n)
	case fromLine:
		r.seekBefore(p.n)
		r.pos[p.stream] = p.pos
	default:
		r.enter(0)
	}
}

// setOut enters page no, or the first one after it that there is. What was dropped before that is not told, unless
// bytes that are to be given come even before it.
func (r *Reader) setOut(no int64) {
	r.cur = cursor{}
	r.enter(no)
	for s, uncovered := range r.uncovered {
		if r.want[s] && r.pos[s] < uncovered {
			return
		}
	}
	r.dropped = r.page.dropped
}

// seekEnd goes behind the newest arrival.
func (r *Reader) seekEnd() {
	l := r.l
	l.mu.Lock()
	r.dropped = l.dropped
	l.mu.Unlock()
	r.enterLast()
	c := r.cur
	for _, rec := range r.records() {
		c.pass(rec)
	}
	r.pos = c.place
}

// enterLast goes to the page that is being filled.
func (r *Reader) enterLast() {
	r.l.mu.Lock()
	no := r.l.index.page.no
	r.l.mu.Unlock()
	r.enter(no)
}

// records returns all of page, the newest arrival included.
func (r *Reader) records() []record {
	rs := r.page.all()
	if r.filled && !r.open.empty() {
		rs = append(rs, r.open)
	}
	return rs
}

// enterBefore goes to the page before, and reports whether there is one that adjoins.
func (r *Reader) enterBefore() bool {
	no, start := r.page.no-1, r.page.start.place
	if no < 0 {
		return false
	}
	p, _, _, ok := r.l.pageAt(no)
	if !ok || p.no != no || p.end().place != start {
		return false
	}
	r.page, r.open, r.filled = p, record{}, false
	return true
}

// seekBack goes back with w, and in each stream that is read behind a line end: of those of a piece, after says how
// many stand behind the place. It is asked for pieces from the last one to the first, and for none of a stream of which
// the place is found.
func (r *Reader) seekBack(w *rewind, after func(p piece) int64) {
	start, _, _ := r.l.extent()
	var found [proc.NumStreams]bool
	for s, want := range r.want {
		found[s] = !want
	}
	cut := false // the line at which reading begins has been passed
	for w.holds(found, start) {
		p, ok := w.previous()
		if !ok {
			break
		}
		s := p.stream
		if found[s] || p.lines == 0 {
			continue
		}
		n := after(p)
		if n >= p.lines {
			continue
		}
		pos, ok := r.l.behindLineEnd(p.record, n)
		if !ok { // gone: told as a gap, unless it is only the begin of a line
			pos = p.from
			if cut {
				pos = max(pos, start[s])
			}
		}
		r.pos[s], found[s], cut = pos, true, true
	}
	for s := range found {
		if !found[s] && cut {
			r.pos[s] = start[s]
		}
	}
	if !cut {
		r.setOut(0)
		return
	}
	r.setOut(w.lowest)
}

// holds reports whether w is still to meet something of a stream that is not found.
func (w *rewind) holds(found [proc.NumStreams]bool, start [proc.NumStreams]int64) bool {
	for s := range found {
		if !found[s] && (len(w.pieces) > 0 || w.page.start.place[s] > start[s]) {
			return true
		}
	}
	return false
}
