package logs

import "bytes"

// A part is a stretch of a piece that is there, or that is not.
type part struct {
	piece
	begin, end int64 // positions
	there      bool
	after      int64 // line ends of both streams before end; of what is not there, before begin
}

// parts returns the stretches of p between two positions, from the last to the first.
func (m *remains) parts(p piece, from, to int64) (parts []part) {
	s := p.stream
	if p.lines == 0 && m.within(s, to).from <= from {
		return nil // no line ends in it
	}
	for to > from {
		begin, there := m.stretch(s, to)
		q := part{piece: p, begin: max(begin, from), end: to, there: there}
		if there {
			q.after = m.linesBefore(p, q.end)
		} else {
			q.after = m.linesBefore(p, q.begin)
		}
		parts = append(parts, q)
		to = q.begin
	}
	return parts
}

// linesBefore returns how many line ends of both streams stand before pos, a place in p.
func (m *remains) linesBefore(p piece, pos int64) int64 {
	switch s := p.stream; {
	case pos == p.from:
		return p.before
	case pos < p.to && m.within(s, pos).from <= p.from:
		return p.before + m.l.countLines(s, p.from, pos)
	default: // of what is missing nobody knows how many it had
		return p.before + p.lines - m.l.countLines(s, pos, p.to)
	}
}

// fromPart looks at the end of the part that comes next.
func (r *backReader) fromPart() (Line, outcome) {
	p := &r.parts[0]
	s := p.stream
	var b []byte
	if p.there {
		b = r.there.read(s, p.end, min(p.end-p.begin, windowSize))
	}
	if len(b) == 0 {
		if !p.there { // else it was there when r was made
			r.endings = append(r.endings, ending{piece: p.piece, pos: p.begin, number: p.after + 1, partial: true})
		}
		gap := p.end - p.begin
		r.parts = r.parts[1:]
		return Line{Stream: s, Gap: gap}, given
	}
	b = b[max(0, int64(len(b))-(p.end-p.begin)):]
	p.end -= int64(len(b))
	if lines := count(b); lines > 0 {
		p.after -= lines
		// The first line that ends in b begins before it, or nobody knows.
		first, last := bytes.IndexByte(b, '\n'), bytes.LastIndexByte(b, '\n')
		behind := p.end + int64(first) + 1
		r.found.search(r.find, p.piece, behind, b[first+1:last+1], p.after+1)
		if lines > 1 && p.end > p.begin {
			p.end, p.after = behind, p.after+1 // it is looked at with what comes before
			return Line{}, passed
		}
		r.endings = append(r.endings, ending{piece: p.piece, pos: behind - 1, number: p.after + 1})
	}
	if p.end == p.begin {
		r.parts = r.parts[1:]
	}
	return Line{}, passed
}

// found is lines that were found in a window.
type found struct {
	piece
	window []byte
	at     int64 // its position
	hits   []hit // from the first to the last
}

// A hit is where a line begins and ends in the window.
type hit struct {
	start, end int
	number     int64
}

// search finds the lines of window, a part of p that begins at a position behind so many line ends.
func (f *found) search(find Pattern, p piece, at int64, window []byte, lines int64) {
	*f = found{piece: p, window: window, at: at, hits: f.hits[:0]}
	for from := 0; from < len(window); {
		start, end := from, from
		if find != nil {
			start, end = find.Find(window[from:])
			start, end = from+start, from+end
			lines += count(window[from:start])
		} else {
			end += bytes.IndexByte(window[from:], '\n')
		}
		if start == len(window) {
			break
		}
		lines++
		f.hits = append(f.hits, hit{start, end, lines})
		from = end + 1
	}
}

// last takes the last one.
func (f *found) last() Line {
	h := f.hits[len(f.hits)-1]
	f.hits = f.hits[:len(f.hits)-1]
	return Line{
		Stream: f.stream, Number: h.number, Time: millis(f.time), Raw: withoutReturns(f.window[h.start:h.end]),
		from: f.at + int64(h.start), to: f.at + int64(h.end) + 1,
	}
}
