package logs

import (
	"slices"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A Chunk is some bytes of one stream, or a mark in the place of bytes that are not there.
type Chunk struct {
	Stream proc.Stream
	Time   time.Time // of arrival, to the millisecond; of a mark, that of what comes next
	Data   []byte    // valid until the next call of Next
	Lines  int64     // line ends of both streams that had arrived before
	// Gap is how many bytes are missing here that had been kept: rotated out, or taken away.
	Gap int64
	// Dropped is how many bytes are missing here that could not be written.
	Dropped int64
}

// View says what of a log is read. The zero View is everything, from the start.
type View struct {
	From Position
	// To is where reading ends: what had been written before it when the Reader was made is given, and no more. The
	// zero Position, Start, is no bound.
	To   Position
	Only []proc.Stream // none: both
	// Wake is called when there may be more, once for each time that Next found nothing. It is called
	// by who writes the log, so it must not block. It may still be called once after Close. May be nil.
	Wake func()
}

// streams returns which streams are read.
func (v View) streams() (want [proc.NumStreams]bool) {
	for s := range want {
		want[s] = len(v.Only) == 0 || slices.Contains(v.Only, proc.Stream(s))
	}
	return want
}

// A Reader reads a log, at its own pace, while it is written or after. It is used by one goroutine at a
// time. Close must be called.
type Reader struct {
	l    *Log
	wake func()
	want [proc.NumStreams]bool

	pos     [proc.NumStreams]int64 // of the next byte to give
	dropped [proc.NumStreams]int64 // told so far, or before the start
	bound   *bound                 // nil: none

	// The place in the index: cur stands behind page.records[:at].
	page   page // a copy
	at     int
	cur    cursor
	filled bool   // page was being filled when it was copied
	open   record // then: the newest arrival
	// Bytes that no page covers come before the records of page: of each stream from left to uncovered. Of
	// the stream that numbered says (0: none, 1: the first) the line ends before pos are lines.
	left, uncovered [proc.NumStreams]int64
	numbered        int
	lines           int64
	// before is the line ends that come before what was dropped before the records of page.
	beforeDropped int64

	rec    record // the record that is being given
	before int64  // line ends before it
	seen   int64  // line ends in it before pos

	windows     [proc.NumStreams]window
	done        bool
	closed      bool
	isWaiting   bool    // guarded by l.mu
	nextWaiting *Reader // guarded by l.mu
}

// Reader returns a Reader of the log.
func (l *Log) Reader(v View) *Reader {
	r := &Reader{l: l, wake: v.Wake, want: v.streams()}
	l.mu.Lock()
	l.readers++
	l.mu.Unlock()
	if v.To != Start() {
		r.bound = l.resolve(v.To, r.want)
	}
	r.seek(v.From)
	return r
}

// Close releases what r holds.
func (r *Reader) Close() {
	if r.closed {
		return
	}
	r.closed = true
	r.release()
	r.l.mu.Lock()
	defer r.l.mu.Unlock()
	r.l.forget(r)
	if r.l.readers--; r.l.readers == 0 {
		for s := range r.l.streams {
			for g := range r.l.streams[s].all {
				if g != &r.l.streams[s].newest {
					g.close()
				}
			}
		}
		if r.l.finished {
			r.l.closeFiles()
		}
	}
}

// Done reports whether Next has given everything there is to be, up to View.To or the end of a log that is closed.
func (r *Reader) Done() bool { return r.done }

// Next returns what comes next, without waiting for it. ok is false if there is nothing more so far; Done
// then says whether there can be.
func (r *Reader) Next() (c Chunk, ok bool) {
	for !r.done && !r.closed {
		if r.bound.reached(r) {
			r.done = true
			r.release()
			break
		}
		if c, ok := r.fromUncovered(); ok {
			return c, true
		}
		if c, ok := r.mark(r.page.dropped, r.beforeDropped); ok {
			return c, true
		}
		if s := r.rec.stream; r.want[s] && r.pos[s] < r.bound.clip(s, r.rec.to) {
			return r.fromRecord(), true
		}
		if r.nextRecord() {
			continue
		}
		more, dropped := r.nextPage()
		if more {
			continue
		}
		if c, ok := r.mark(dropped, r.seenLines()); ok {
			return c, true
		}
		r.release()
		return Chunk{}, false
	}
	return Chunk{}, false
}

// fromUncovered gives bytes that no page covers.
func (r *Reader) fromUncovered() (Chunk, bool) {
	for s, to := range r.uncovered {
		if !r.want[s] || r.pos[s] >= r.bound.clip(proc.Stream(s), to) {
			continue
		}
		if r.numbered != s+1 {
			r.numbered = s + 1
			r.lines = r.page.start.lines - r.l.countLines(proc.Stream(s), r.pos[s], to)
			for later := s + 1; later < len(r.uncovered); later++ {
				r.lines -= r.l.countLines(proc.Stream(later), r.left[later], r.uncovered[later])
			}
		}
		c := r.take(proc.Stream(s), to)
		c.Time, c.Lines = millis(r.page.start.time), r.lines
		if c.Gap > 0 {
			r.numbered = 0
		}
		r.lines += count(c.Data)
		return c, true
	}
	return Chunk{}, false
}

// mark tells of bytes that were dropped after so many line ends, if there are more than was told.
func (r *Reader) mark(dropped [proc.NumStreams]int64, lines int64) (Chunk, bool) {
	for s, n := range dropped {
		if n -= r.dropped[s]; r.want[s] && n > 0 && !r.bound.holdsOff(r, proc.Stream(s)) {
			r.dropped[s] += n
			return Chunk{Stream: proc.Stream(s), Time: millis(r.nextTime()), Lines: lines, Dropped: n}, true
		}
	}
	return Chunk{}, false
}

// told reports whether all of what was dropped was told.
func (r *Reader) told(dropped [proc.NumStreams]int64) bool {
	for s, n := range dropped {
		if r.want[s] && n > r.dropped[s] {
			return false
		}
	}
	return true
}

// seenLines returns the line ends of both streams up to the place in the index.
func (r *Reader) seenLines() int64 { return r.cur.lines + r.open.lines }

// nextTime returns the time of the next record, or of the last one if there is none yet.
func (r *Reader) nextTime() int64 {
	c := r.cur
	if rec, n := c.decode(r.page.records[r.at:]); n > 0 {
		return rec.time
	}
	if !r.open.empty() {
		return r.open.time
	}
	return r.cur.time
}

// fromRecord gives more of rec.
func (r *Reader) fromRecord() Chunk {
	s := r.rec.stream
	c := r.take(s, r.rec.to)
	c.Time, c.Lines = millis(r.rec.time), r.before+r.seen
	switch {
	case r.pos[s] >= r.rec.to && !r.filled:
		r.seen = r.rec.lines
	case c.Gap > 0:
		r.seen = r.linesBefore(r.rec, r.pos[s])
	default:
		r.seen += count(c.Data)
	}
	return c
}

// linesBefore returns how many line ends of rec stand before pos, if all of it behind pos is there.
func (r *Reader) linesBefore(rec record, pos int64) int64 {
	return rec.lines - r.l.countLines(rec.stream, pos, rec.to)
}

// take gives bytes of s up to the position to, at least one, or the gap that is in their place.
func (r *Reader) take(s proc.Stream, to int64) Chunk {
	to = r.bound.clip(s, to)
	data, gap := r.windows[s].read(r.l, s, r.pos[s], to)
	gap = min(gap, r.bound.clip(s, r.pos[s]+gap)-r.pos[s])
	r.pos[s] += int64(len(data)) + gap
	return Chunk{Stream: s, Data: data, Gap: gap}
}

func (r *Reader) release() {
	for s := range r.windows {
		r.windows[s].release()
	}
}
