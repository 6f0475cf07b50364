package logs

import (
	"bytes"
	"math"

	"github.com/prochost/prochost/manager/proc"
)

// A LineReader gives the lines of a log in order of arrival of their ends. It holds at most MaxLine bytes of one
// line of each stream. It is used by one goroutine at a time. Close must be called.
type LineReader struct {
	r       *Reader
	chunk   Chunk
	rest    []byte // of chunk
	mark    bool   // chunk is a mark that is still to be given
	lines   int64  // line ends before rest
	began   int64
	partial [proc.NumStreams]partial
}

// Lines returns a LineReader of the log.
func (l *Log) Lines(v View) *LineReader { return &LineReader{r: l.Reader(v)} }

// Close releases what r holds.
func (r *LineReader) Close() { r.r.Close() }

// Done reports whether Next has given everything of a log that is closed.
func (r *LineReader) Done() bool {
	return r.r.Done() && !r.mark && r.partial[proc.Stdout].began == 0 && r.partial[proc.Stderr].began == 0
}

// Next returns the next line or mark, without waiting for it. ok is false if there is none so far; Done then
// says whether there can be.
func (r *LineReader) Next() (line Line, ok bool) { return r.NextWithin(math.MaxInt64) }

// NextWithin is Next for the first upTo bytes alone, counted as Taken is: a line that ends behind them is not
// returned, and what has come of it within them counts as a line that has begun.
func (r *LineReader) NextWithin(upTo int64) (line Line, ok bool) {
	for {
		if r.mark {
			r.mark = false
			c := r.chunk
			return Line{Stream: c.Stream, Time: c.Time, Gap: c.Gap, Dropped: c.Dropped}, true
		}
		if line, ok := r.fromChunk(upTo); ok {
			return line, true
		}
		if r.Taken() >= upTo {
			return Line{}, false
		}
		c, ok := r.r.Next()
		if !ok {
			return r.last()
		}
		r.chunk, r.rest, r.lines = c, c.Data, c.Lines
		if c.Gap > 0 || c.Dropped > 0 {
			r.mark = true
			if r.partial[c.Stream].began > 0 {
				return r.broken(c.Stream, r.lines+1), true
			}
		}
	}
}

// fromChunk returns the next line that ends in chunk and within the first upTo bytes.
func (r *LineReader) fromChunk(upTo int64) (Line, bool) {
	rest := r.rest[:max(0, min(int64(len(r.rest)), upTo-r.Taken()))]
	if len(rest) == 0 {
		return Line{}, false
	}
	s := r.chunk.Stream
	p := &r.partial[s]
	i := bytes.IndexByte(rest, '\n')
	if i < 0 {
		r.begin(p)
		p.add(rest)
		r.rest = r.rest[len(rest):]
		return Line{}, false
	}
	raw := r.rest[:i]
	r.rest = r.rest[i+1:]
	r.lines++
	if p.began == 0 {
		return Line{Stream: s, Number: r.lines, Time: r.chunk.Time, Raw: withoutReturns(raw)}, true
	}
	p.add(raw)
	return r.complete(s, r.lines), true
}

// begin makes sure that p is a line.
func (r *LineReader) begin(p *partial) {
	if p.began == 0 {
		r.began++
		p.began, p.time = r.began, r.chunk.Time
	}
}

// complete takes the line of s that has begun.
func (r *LineReader) complete(s proc.Stream, number int64) Line {
	p := &r.partial[s]
	line := Line{Stream: s, Number: number, Time: p.time, Raw: withoutReturns(p.buf), Truncated: p.truncated}
	p.reset()
	return line
}

// broken takes the line of s that has begun and has no end.
func (r *LineReader) broken(s proc.Stream, number int64) Line {
	line := r.complete(s, number)
	line.Partial = true
	return line
}

// last returns a line without an end, of a log that is closed, in the order in which they began.
func (r *LineReader) last() (Line, bool) {
	if !r.r.Done() {
		return Line{}, false
	}
	return r.Flush()
}

func withoutReturns(raw []byte) []byte { return bytes.TrimRight(raw, "\r") }
