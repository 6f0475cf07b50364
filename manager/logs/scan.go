package logs

import (
	"bytes"

	"github.com/prochost/prochost/manager/proc"
)

// behindLineEnd returns the position behind a line end of rec: of the one that after more follow in rec. ok is
// false if that part of it is gone.
func (l *Log) behindLineEnd(rec record, after int64) (pos int64, ok bool) {
	buf := windows.Get().(*[windowSize]byte)
	defer windows.Put(buf)
	for to := rec.to; to > rec.from; {
		from := max(rec.from, to-windowSize)
		b := buf[:to-from]
		if !l.readAt(rec.stream, b, from) {
			return 0, false
		}
		if n := count(b); n <= after {
			after -= n
			to = from
			continue
		}
		for ; ; after-- {
			i := bytes.LastIndexByte(b, '\n')
			if after == 0 {
				return from + int64(i) + 1, true
			}
			b = b[:i]
		}
	}
	return 0, false
}

// behindFirstLineEnd returns the position behind the first line end of rec. ok is false if there is none, or
// it is gone.
func (l *Log) behindFirstLineEnd(rec record) (pos int64, ok bool) {
	buf := windows.Get().(*[windowSize]byte)
	defer windows.Put(buf)
	for from := rec.from; from < rec.to; {
		b := buf[:min(rec.to-from, windowSize)]
		if !l.readAt(rec.stream, b, from) {
			return 0, false
		}
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return from + int64(i) + 1, true
		}
		from += int64(len(b))
	}
	return 0, false
}

// lineBegins reports whether the byte of s before pos ends a line.
func (l *Log) lineBegins(s proc.Stream, pos int64) bool {
	var b [1]byte
	return pos == 0 || l.readAt(s, b[:], pos-1) && b[0] == '\n'
}

// countLines returns the number of line ends in the bytes of s from one position up to another that can be read.
func (l *Log) countLines(s proc.Stream, from, to int64) (lines int64) {
	buf := windows.Get().(*[windowSize]byte)
	defer windows.Put(buf)
	for from < to {
		at := l.find(s, from)
		if at.f == nil {
			if at.next == 0 {
				break
			}
			from = at.next
			continue
		}
		n, err := at.f.ReadAt(buf[:min(to-from, at.left, windowSize)], at.offset)
		lines += count(buf[:n])
		from += int64(n)
		if n == 0 && !isClosed(err) { // not as long as it was written
			from += at.left
		}
	}
	return lines
}

// count returns the number of line ends in b.
func count(b []byte) int64 { return int64(bytes.Count(b, lineEnd)) }

var lineEnd = []byte{'\n'}

// readAt fills b with the bytes of s from pos on, and reports whether all of them are there.
func (l *Log) readAt(s proc.Stream, b []byte, pos int64) bool {
	for len(b) > 0 {
		at := l.find(s, pos)
		if at.f == nil {
			return false
		}
		n, err := at.f.ReadAt(b[:min(int64(len(b)), at.left)], at.offset)
		if n == 0 && !isClosed(err) {
			return false
		}
		b = b[n:]
		pos += int64(n)
	}
	return true
}
