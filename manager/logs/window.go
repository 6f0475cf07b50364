package logs

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/prochost/prochost/manager/proc"
)

const windowSize = 64 << 10

// windows are lent to readers while they have something to read.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// A window is a stretch of one stream, read ahead.
type window struct {
	buf  *[windowSize]byte // nil while nothing is read
	at   int64             // position of buf[0]
	size int
}

// read returns bytes of s from pos on, up to the position to, as far as one reading goes. If there are none,
// it says how many are missing instead.
func (w *window) read(l *Log, s proc.Stream, pos, to int64) (data []byte, gap int64) {
	if w.buf == nil || pos < w.at || pos >= w.at+int64(w.size) {
		if gap := w.fill(l, s, pos, to); gap > 0 {
			return nil, gap
		}
	}
	from, end := pos-w.at, min(int64(w.size), to-w.at)
	return w.buf[from:end:end], 0
}

// fill reads what stands at pos, or says how much is missing there; to is what should be there at least.
func (w *window) fill(l *Log, s proc.Stream, pos, to int64) (gap int64) {
	for {
		at := l.find(s, pos)
		if at.f == nil {
			if at.next == 0 {
				return to - pos
			}
			return at.next - pos
		}
		if w.buf == nil {
			w.buf = windows.Get().(*[windowSize]byte)
		}
		n, err := at.f.ReadAt(w.buf[:min(at.left, windowSize)], at.offset)
		w.at, w.size = pos, n
		switch {
		case n > 0:
			return 0
		case isClosed(err): // rotated out in this moment
		default: // not as long as it was written, or not to be read
			return at.left
		}
	}
}

func (w *window) release() {
	if w.buf != nil {
		windows.Put(w.buf)
		*w = window{}
	}
}

// isClosed reports whether a file was closed by who rotated it out; a look for the bytes then finds another
// file, or none.
func isClosed(err error) bool { return errors.Is(err, fs.ErrClosed) }

// A spot is where a byte of a stream is to be found.
type spot struct {
	f      file // nil if it is nowhere
	offset int64
	left   int64 // bytes of the file from there on
	next   int64 // without a file: position where the stream goes on, if it does
}

// find returns where the byte of s at pos is.
func (l *Log) find(s proc.Stream, pos int64) spot {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, next := l.streams[s].find(pos)
	if g == nil {
		return spot{next: next}
	}
	f := l.openSegment(g)
	if f == nil {
		return spot{next: g.end()}
	}
	return spot{f: f, offset: pos - g.base, left: g.end() - pos}
}

// openSegment returns the file of g, nil if it cannot be had. The lock is held.
func (l *Log) openSegment(g *segment) file {
	if g.f == nil {
		if f, err := l.opt.disk.open(g.path); err == nil {
			g.f = f
		}
	}
	return g.f
}
