package logs

import "github.com/prochost/prochost/manager/proc"

// seekTail goes to the begin of the last n lines. The index knows how many line ends each arrival has, so that
// only those arrivals are read in which a line is found to begin.
func (r *Reader) seekTail(n int64) {
	_, partial, finished := r.l.extent()
	if finished && n == 0 {
		r.seekEnd()
		return
	}
	for s, want := range r.want {
		if finished && want && partial[s] && n > 0 {
			n-- // a last line without an end
		}
	}
	r.seekBack(r.l.rewind(), func(p piece) (after int64) {
		after = min(n, p.lines)
		n -= after
		return after
	})
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
