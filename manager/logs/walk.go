package logs

import "github.com/prochost/prochost/manager/proc"

// nextRecord goes on to the next record of page, and reports whether there is one with something in it.
func (r *Reader) nextRecord() bool {
	for {
		rec, n := r.cur.decode(r.page.records[r.at:])
		if n == 0 {
			break
		}
		r.at += n
		if r.begin(rec, r.cur.lines-rec.lines) {
			return true
		}
	}
	return r.filled && !r.open.empty() && r.begin(r.open, r.cur.lines)
}

// begin makes rec the record that is being given, and reports whether there is something in it. It may be the
// one that is being given already, with more in it.
func (r *Reader) begin(rec record, before int64) bool {
	s := rec.stream
	if !r.want[s] {
		return false
	}
	if r.pos[s] >= r.bound.clip(s, rec.to) {
		return false
	}
	if r.rec.stream != s || r.rec.from != rec.from || r.rec.empty() {
		r.seen = 0
		if r.pos[s] > rec.from {
			r.seen = r.linesBefore(rec, r.pos[s])
		}
	}
	r.rec, r.before = rec, before
	return true
}

// nextPage goes on to what was added to page, or to the page after it. If there is neither, it reports what
// was dropped so far, and r waits for more, or is done.
func (r *Reader) nextPage() (more bool, dropped [proc.NumStreams]int64) {
	l := r.l
	l.mu.Lock()
	x := &l.index
	switch {
	case r.page.no < x.page.no && r.filled:
		l.mu.Unlock()
		r.completePage()
		return true, dropped
	case r.page.no < x.page.no:
		l.mu.Unlock()
		r.enter(r.page.no + 1)
		return true, dropped
	case len(x.page.records) > len(r.page.records) || x.open != r.open:
		r.page.records = append(r.page.records, x.page.records[len(r.page.records):]...)
		r.open = x.open
		l.mu.Unlock()
		return true, dropped
	}
	defer l.mu.Unlock()
	if !r.told(l.dropped) {
		return false, l.dropped
	}
	if l.finished {
		r.done = true
	} else {
		l.await(r)
	}
	return false, l.dropped
}

// completePage takes up the page again, which has been completed since it was copied.
func (r *Reader) completePage() {
	p, ok := r.l.readPage(r.page.no)
	if !ok {
		r.enter(r.page.no + 1)
		return
	}
	r.page.records, r.filled, r.open = p.records, false, record{}
}

// enter goes to page no, or the first one after it that there is.
func (r *Reader) enter(no int64) {
	last := r.cur
	for {
		p, open, filled, ok := r.l.pageAt(no)
		if !ok {
			no = p.no + 1
			continue
		}
		r.page, r.open, r.filled = p, open, filled
		r.at, r.cur = 0, p.start
		r.left, r.uncovered, r.numbered = last.place, p.start.place, 0
		r.beforeDropped = p.start.lines
		if last.place == p.start.place {
			r.beforeDropped = last.lines
		}
		return
	}
}

// pageAt returns a copy of page no, or if the index has no such page any more, of the first that it can have.
// filled says that it is the one being filled, with the newest arrival in open. If it cannot be had, ok is
// false and only the number of p is set.
func (l *Log) pageAt(no int64) (p page, open record, filled, ok bool) {
	l.mu.Lock()
	x := &l.index
	no = max(no, x.first)
	if no >= x.page.no {
		p = x.page
		p.records = append([]byte(nil), p.records...)
		open = x.open
		l.mu.Unlock()
		return p, open, true, true
	}
	l.mu.Unlock()
	p, ok = l.readPage(no)
	p.no = no
	return p, record{}, false, ok
}

// readPage returns page no from the file.
func (l *Log) readPage(no int64) (p page, ok bool) {
	l.mu.Lock()
	x := &l.index
	if x.f == nil && l.finished {
		x.openToRead()
	}
	f := x.f
	l.mu.Unlock()
	if f == nil {
		return page{}, false
	}
	return readPage(f, no, x.slots)
}
