package logs

import "github.com/prochost/prochost/manager/proc"

// Taken returns how many bytes of both streams, counted as Size.Written is, were read so far: those of all lines
// that were given, and those of lines that have begun.
func (r *LineReader) Taken() int64 {
	n := -int64(len(r.rest))
	for _, pos := range r.r.pos {
		n += pos
	}
	return n
}

// Flush returns a line that has begun and not ended, of a log that may still be written, in the order in which they
// began; ok is false if there is none. The end of the line, if it comes, is then given as a line of its own.
func (r *LineReader) Flush() (line Line, ok bool) {
	for {
		line, found := r.flush()
		if found != passed {
			return line, found == given
		}
	}
}

// flush is Flush for one line, which may be one to pass over.
func (r *LineReader) flush() (Line, outcome) {
	first := -1
	for s, p := range r.partial {
		if p.began > 0 && (first < 0 || p.began < r.partial[first].began) {
			first = s
		}
	}
	if first < 0 {
		return Line{}, nothing
	}
	if len(r.rest) > 0 { // held back behind a bound: its line ends go on from here
		return r.broken(proc.Stream(first), r.lines+1)
	}
	switch { // lines of a stream that is not read may have come after the last that was
	case r.r.bound != nil:
		r.lines = max(r.lines, r.r.bound.lines)
	case r.r.Done():
		r.lines = max(r.lines, r.r.seenLines())
	}
	r.lines++
	return r.broken(proc.Stream(first), r.lines)
}
