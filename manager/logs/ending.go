package logs

import "github.com/prochost/prochost/manager/proc"

// An ending is where a line ends: its line feed, or if it has none, what comes behind it.
type ending struct {
	piece
	pos     int64
	number  int64
	partial bool // it has none
	dropped bool // then: it comes before what was dropped there
}

// fromEnding goes back to the begin of the line that is next.
func (r *backReader) fromEnding() (Line, outcome) {
	e := r.endings[len(r.endings)-1]
	r.endings = r.endings[:len(r.endings)-1]
	s := e.stream
	begin := r.there.lineBegin(s, e.pos, e.dropped)
	if e.partial && begin == e.pos {
		return Line{}, passed
	}
	line := Line{Stream: s, Number: e.number, Partial: e.partial, from: begin, to: e.pos}
	if !e.partial {
		line.to++
	}
	line.Raw, line.Truncated = r.raw(s, begin, e.pos)
	if r.find != nil && !r.find.Match(line.Raw) {
		return Line{}, passed
	}
	p := e.piece
	if begin < p.from || e.partial && begin >= p.to {
		p = r.w.find(s, begin)
	}
	line.Time = millis(p.time)
	return line, given
}

// raw returns the line of s between two positions as Line.Raw has it.
func (r *backReader) raw(s proc.Stream, begin, end int64) (raw []byte, truncated bool) {
	if begin == end {
		return nil, false
	}
	if b := r.there.read(s, end, min(end-begin, windowSize)); int64(len(b)) >= end-begin {
		return withoutReturns(b[int64(len(b))-(end-begin):]), false
	}
	r.line.reset()
	for at := begin; at < end; {
		to := min(at+windowSize, end)
		b := r.there.read(s, to, to-at)
		if int64(len(b)) < to-at { // gone since
			break
		}
		r.line.add(b[int64(len(b))-(to-at):])
		at = to
	}
	return withoutReturns(r.line.buf), r.line.truncated
}

// find returns the piece before w that holds a byte of s.
func (w rewind) find(s proc.Stream, pos int64) piece {
	for p, ok := w.previous(); ok; p, ok = w.previous() {
		if p.stream == s && p.from <= pos && pos < p.to {
			return p
		}
	}
	return piece{}
}
