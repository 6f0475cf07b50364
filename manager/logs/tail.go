package logs

import "github.com/prochost/prochost/manager/proc"

// seekTail goes to the begin of the last n lines. The index knows how many line ends each arrival has, so that
// only those arrivals are read in which a line is found to begin.
func (r *Reader) seekTail(n int64) {
	start, partial, finished := r.l.extent()
	if finished && n == 0 {
		r.seekEnd()
		return
	}
	var found [proc.NumStreams]bool
	for s := range found {
		found[s] = !r.want[s]
		if finished && r.want[s] && partial[s] && n > 0 {
			n-- // a last line without an end
		}
	}
	cut := false // the last n line ends have been passed
	r.enterLast()
	for {
		rs := r.records()
		for i := len(rs) - 1; i >= 0; i-- {
			rec := rs[i]
			s := rec.stream
			if found[s] || rec.lines == 0 {
				continue
			}
			if !cut && rec.lines <= n {
				n -= rec.lines
				continue
			}
			// The line begins behind the line end that comes before those that were counted.
			pos, ok := r.l.behindLineEnd(rec, n)
			if !ok { // gone: told as a gap, unless it is only the begin of a line
				pos = rec.from
				if cut {
					pos = max(pos, start[s])
				}
			} else {
				r.skip[s] = rec.lines - n
			}
			r.pos[s] = pos
			found[s], cut, n = true, true, 0
		}
		before := false // there is something of the streams that are not found
		for s := range found {
			before = before || !found[s] && r.page.start.place[s] > start[s]
		}
		if !before || !r.enterBefore() {
			break
		}
	}
	for s := range found {
		if !found[s] {
			r.pos[s] = r.page.start.place[s]
			if cut {
				r.pos[s] = max(r.pos[s], start[s])
			}
		}
	}
	r.enter(r.page.no)
	r.dropped, r.lines = r.page.dropped, r.page.start.lines
}

// extent returns where what is kept of each stream begins, whether each ends within a line, and whether the
// log is closed.
func (l *Log) extent() (start [proc.NumStreams]int64, partial [proc.NumStreams]bool, finished bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range start {
		start[s] = l.streams[s].start()
	}
	return start, l.midline, l.finished
}
