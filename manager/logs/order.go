package logs

import "github.com/prochost/prochost/manager/proc"

// A piece is one arrival as a rewind meets it: a record, bytes that no page covers, or the place of bytes that were
// dropped.
type piece struct {
	record
	before  int64 // line ends of both streams before it
	lost    int64 // bytes of the stream that were dropped here; then there is nothing else in it
	dropped int64 // and those that were dropped up to here
	page    int64 // where a Reader enters that is to give it
	order   int64 // rises with the order of arrival
}

// A rewind goes through the arrivals of a log from a place back to its start, in the opposite order of a Reader that
// begins there. A copy of it goes its own way.
type rewind struct {
	l      *Log
	page   page    // the first of those that were read
	lowest int64   // where a Reader enters that is to give everything that was met so far
	pieces []piece // of what was read, those that were not met so far
	end    cursor  // where it began
	order  int64
	over   bool // nothing comes before pieces
}

// rewind returns a rewind from the newest arrival, or from what was dropped after it.
func (l *Log) rewind() *rewind {
	l.mu.Lock()
	p, open, dropped := l.index.page, l.index.open, l.dropped
	p.records = append([]byte(nil), p.records...)
	l.mu.Unlock()
	w := newRewind(l, p, open)
	end := p.end()
	if !open.empty() {
		end.pass(open)
	}
	w.end = end
	w.addDropped(dropped, p.dropped, end, p.no)
	return w
}

// rewindFrom returns a rewind from the end of page no, or of the first one after it that there is.
func (l *Log) rewindFrom(no int64) *rewind {
	for {
		p, open, _, ok := l.pageAt(no)
		if ok {
			return newRewind(l, p, open)
		}
		no = p.no + 1
	}
}

func newRewind(l *Log, p page, open record) *rewind {
	w := &rewind{l: l, page: p, lowest: p.no}
	w.addRecords(p, open)
	return w
}

// previous returns the piece before the one that was returned last. ok is false if there is none.
func (w *rewind) previous() (p piece, ok bool) {
	for len(w.pieces) == 0 {
		if w.over {
			return piece{}, false
		}
		w.readBefore()
	}
	p = w.pieces[len(w.pieces)-1]
	w.pieces = w.pieces[:len(w.pieces)-1]
	w.order--
	p.order = w.order
	return p, true
}

// readBefore reads the page before page, and takes up what there is between them.
func (w *rewind) readBefore() {
	p := w.page
	w.pieces = nil // a copy of w may still need it
	before, ok := w.l.pageBefore(p)
	if !ok {
		w.over = true
		w.addUncovered(cursor{}, p, p.no)
		return
	}
	w.page, w.lowest = before, before.no
	w.addRecords(before, record{})
	w.addUncovered(before.end(), p, before.no)
}

// pageBefore returns the last page before p that there is.
func (l *Log) pageBefore(p page) (before page, ok bool) {
	l.mu.Lock()
	first := l.index.first
	l.mu.Unlock()
	for no := p.no - 1; no >= first; no-- {
		if before, ok := l.readPage(no); ok {
			return before, true
		}
	}
	return page{}, false
}

func (w *rewind) addRecords(p page, open record) {
	c := p.start
	for _, r := range append(p.all(), open) {
		if !r.empty() {
			w.pieces = append(w.pieces, piece{record: r, before: c.lines, page: p.no})
			c.pass(r)
		}
	}
}

// addUncovered adds the bytes between a place and the begin of page p, and what was dropped before p. A Reader has to
// enter page no to give them.
func (w *rewind) addUncovered(from cursor, p page, no int64) {
	dropped := w.page.dropped
	if w.over {
		dropped = [proc.NumStreams]int64{}
	}
	var bytes [proc.NumStreams]record
	lines := int64(0)
	for s := range bytes {
		r := record{stream: proc.Stream(s), from: from.place[s], to: p.start.place[s], time: p.start.time}
		if r.from < r.to {
			r.lines = w.l.countLines(r.stream, r.from, r.to)
			lines += r.lines
			bytes[s] = r
		}
	}
	if from.place != p.start.place {
		from = p.start
	}
	before := p.start.lines - lines
	for _, r := range bytes {
		if !r.empty() {
			w.pieces = append(w.pieces, piece{record: r, before: before, page: no})
			before += r.lines
		}
	}
	w.addDropped(p.dropped, dropped, from, no)
}

// addDropped adds what was dropped between two places: after told bytes, dropped in all.
func (w *rewind) addDropped(dropped, told [proc.NumStreams]int64, at cursor, no int64) {
	for s, n := range dropped {
		if n > told[s] {
			place := at.place[s]
			w.pieces = append(w.pieces, piece{record: record{stream: proc.Stream(s), from: place, to: place}, before: at.lines, lost: n - told[s], dropped: n, page: no})
		}
	}
}
