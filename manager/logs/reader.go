package logs

import (
	"bytes"
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
	Only []proc.Stream // none: both
	// Wake is called when there may be more, once for each time that Next found nothing. It is called
	// by who writes the log, so it must not block. It may still be called once after Close. May be nil.
	Wake func()
}

// A Reader reads a log, at its own pace, while it is written or after. It is used by one goroutine at a
// time. Close must be called.
type Reader struct {
	l    *Log
	wake func()
	want [proc.NumStreams]bool

	pos     [proc.NumStreams]int64 // of the next byte to give
	dropped [proc.NumStreams]int64 // told so far, or before the start
	lines   int64                  // line ends before what comes next

	// The place in the index: cur stands behind page.records[:at].
	page   page // a copy
	at     int
	cur    cursor
	filled bool   // page was being filled when it was copied
	open   record // then: the newest arrival
	// uncovered is up to where bytes that no page covers come before the records of page.
	uncovered [proc.NumStreams]int64

	rec    record                 // the record that is being given
	before int64                  // line ends before it
	seen   int64                  // line ends in it before pos
	skip   [proc.NumStreams]int64 // the same for the first record of which a part is given

	windows     [proc.NumStreams]window
	done        bool
	closed      bool
	isWaiting   bool    // guarded by l.mu
	nextWaiting *Reader // guarded by l.mu
}

// Reader returns a Reader of the log.
func (l *Log) Reader(v View) *Reader {
	r := &Reader{l: l, wake: v.Wake}
	for s := range r.want {
		r.want[s] = len(v.Only) == 0
	}
	for _, s := range v.Only {
		r.want[s] = true
	}
	l.mu.Lock()
	l.readers++
	l.mu.Unlock()
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
			r.l.streams[s].older.close()
		}
		if r.l.finished {
			r.l.closeFiles()
		}
	}
}

// Done reports whether Next has given everything of a log that is closed.
func (r *Reader) Done() bool { return r.done }

// Next returns what comes next, without waiting for it. ok is false if there is nothing more so far; Done
// then says whether there can be.
func (r *Reader) Next() (c Chunk, ok bool) {
	for !r.done && !r.closed {
		if c, ok := r.fromUncovered(); ok {
			return c, true
		}
		if c, ok := r.mark(r.page.dropped); ok {
			return c, true
		}
		if s := r.rec.stream; r.want[s] && r.pos[s] < r.rec.to {
			return r.fromRecord(), true
		}
		if r.nextRecord() {
			continue
		}
		more, dropped := r.nextPage()
		if more {
			continue
		}
		if c, ok := r.mark(dropped); ok {
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
		if r.want[s] && r.pos[s] < to {
			c := r.take(proc.Stream(s), to)
			c.Time, c.Lines = time.UnixMilli(r.page.start.time), r.lines
			r.lines += int64(bytes.Count(c.Data, lineEnd))
			return c, true
		}
	}
	return Chunk{}, false
}

// mark tells of bytes that were dropped, if there are more than was told.
func (r *Reader) mark(dropped [proc.NumStreams]int64) (Chunk, bool) {
	for s, n := range dropped {
		if n -= r.dropped[s]; r.want[s] && n > 0 {
			r.dropped[s] += n
			return Chunk{Stream: proc.Stream(s), Time: time.UnixMilli(r.nextTime()), Lines: r.lines, Dropped: n}, true
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

var lineEnd = []byte{'\n'}

// fromRecord gives more of rec.
func (r *Reader) fromRecord() Chunk {
	s := r.rec.stream
	c := r.take(s, r.rec.to)
	c.Time, c.Lines = time.UnixMilli(r.rec.time), r.before+r.seen
	if r.pos[s] < r.rec.to || r.filled {
		r.seen += int64(bytes.Count(c.Data, lineEnd))
		r.lines = r.before + r.seen
	} else {
		r.seen = r.rec.lines
		r.lines = r.before + r.rec.lines
	}
	return c
}

// take gives bytes of s up to the position to, at least one, or the gap that is in their place.
func (r *Reader) take(s proc.Stream, to int64) Chunk {
	data, gap := r.windows[s].read(r.l, s, r.pos[s], to)
	r.pos[s] += int64(len(data)) + gap
	return Chunk{Stream: s, Data: data, Gap: gap}
}

func (r *Reader) release() {
	for s := range r.windows {
		r.windows[s].release()
	}
}
