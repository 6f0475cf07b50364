package logs

import "github.com/prochost/prochost/manager/proc"

// seekTime goes to the first line of each stream that begins at t, in Unix milliseconds, or later.
func (r *Reader) seekTime(t int64) {
	for r.enterLast(); r.page.start.time >= t && r.enterBefore(); {
	}
	first := r.page.no
	start, _, _ := r.l.extent()
	var found [proc.NumStreams]bool
	for {
		for _, rec := range r.records() {
			s := rec.stream
			if found[s] {
				continue
			}
			r.pos[s] = rec.to
			if rec.time < t {
				continue
			}
			if rec.from <= start[s] || r.l.lineBegins(s, rec.from) {
				r.pos[s], found[s] = rec.from, true
			} else if pos, ok := r.l.behindFirstLineEnd(rec); ok {
				r.pos[s], found[s] = pos, true
			}
		}
		if r.filled {
			break
		}
		r.enter(r.page.no + 1)
	}
	r.setOut(first)
	for s := range r.pos {
		r.pos[s] = max(r.pos[s], r.page.start.place[s])
	}
}
