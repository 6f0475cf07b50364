package logs

// seekNumber goes to the begin of line n. The line ends before it are those of the n-1 lines before it.
func (r *Reader) seekNumber(n int64) {
	l := r.l
	_, _, finished := l.extent()
	if total := l.lines(); finished && n > total+1 {
		r.seekEnd()
		return
	}
	r.seekBefore(n)
}

// seekBefore goes behind the line ends of the n-1 first lines.
func (r *Reader) seekBefore(n int64) {
	r.seekBack(r.l.rewindFrom(r.l.pageOfLine(n)), func(p piece) (after int64) {
		return max(0, p.before+p.lines-(n-1))
	})
}

// pageOfLine returns the last page that begins before the end of line n, or the first one that there is.
func (l *Log) pageOfLine(n int64) int64 {
	l.mu.Lock()
	low, high := l.index.first, l.index.page.no
	l.mu.Unlock()
	for low < high {
		middle := low + (high-low+1)/2
		p, _, _, ok := l.pageAt(middle)
		for !ok {
			p, _, _, ok = l.pageAt(p.no + 1)
		}
		if p.start.lines < n {
			low = max(p.no, low)
		} else {
			high = middle - 1
		}
		if low > high {
			break
		}
	}
	return low
}
