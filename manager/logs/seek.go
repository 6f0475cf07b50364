package logs

// seek sets out from a position: it fills pos, dropped, lines and skip, and enters the first page that is
// needed.
func (r *Reader) seek(p Position) {
	switch p.kind {
	case fromEnd:
		r.seekEnd()
	case fromTail:
		r.seekTail(int64(p.n))
	case fromTime:
		r.seekTime(p.t.UnixMilli())
	default:
		r.enter(0)
	}
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
	r.pos, r.lines = c.place, c.lines
	r.skip[r.open.stream] = r.open.lines
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
