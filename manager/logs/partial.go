package logs

import (
	"bytes"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A partial is a line of which the end has not come.
type partial struct {
	began     int64 // counts the lines that began; 0: there is none
	time      time.Time
	from      int64  // position of its first byte
	size      int64  // bytes that have come
	buf       []byte // at most MaxLine
	truncated bool   // not all of it is in buf
	returned  bool   // then: a carriage return came last
}

// add takes more of the line.
func (p *partial) add(b []byte) {
	p.size += int64(len(b))
	if p.truncated {
		p.overflow(b)
		return
	}
	room := MaxLine - len(p.buf)
	if len(b) <= room {
		p.buf = append(p.buf, b...)
		return
	}
	p.buf = append(p.buf, b[:room]...)
	p.truncated = true
	p.returned = p.buf[MaxLine-1] == '\r'
	p.overflow(b[room:])
}

// overflow takes what there is no room for. Text behind a carriage return takes the place of all before it,
// because that is what somebody would see.
func (p *partial) overflow(b []byte) {
	text := bytes.TrimRight(b, "\r")
	if len(text) > 0 {
		if i := bytes.LastIndexByte(text, '\r'); i >= 0 {
			text, p.returned = text[i+1:], true
		}
		if p.returned {
			p.buf = p.buf[:0]
		}
		p.buf = append(p.buf, text[:min(len(text), MaxLine-len(p.buf))]...)
	}
	p.returned = len(text) < len(b)
}

// line returns the line that is complete, of stream s.
func (p *partial) line(s proc.Stream, number int64) Line {
	return Line{
		Stream: s, Number: number, Time: p.time, Raw: withoutReturns(p.buf), Truncated: p.truncated,
		from: p.from, to: p.from + p.size + 1,
	}
}

// reset makes room for another line; the bytes of this one stay valid until more are added.
func (p *partial) reset() {
	*p = partial{buf: p.buf[:0]}
	if cap(p.buf) > MaxLine/8 {
		p.buf = nil
	}
}
