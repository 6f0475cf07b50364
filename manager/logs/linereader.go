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
	find    Pattern // lines that are given; nil: all
	chunk   Chunk
	rest    []byte // of chunk
	mark    bool   // chunk is a mark that is still to be given
	lines   int64  // line ends before rest
	began   int64
	partial [proc.NumStreams]partial
}

// An outcome says what has come of a look for a line.
type outcome uint8

const (
	given   outcome = iota // a line
	passed                 // no line, but there may be more behind what was looked at
	nothing                // no line, and there is no more so far
)

// Lines returns a LineReader of the log.
func (l *Log) Lines(v View) *LineReader { return &LineReader{r: l.Reader(v)} }

// Close releases what r holds.
func (r *LineReader) Close() { r.r.Close() }

// Done reports whether Next has given everything there is to be, up to View.To or the end of a log that is closed.
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
		line, found := r.step(upTo)
		if found != passed {
			return line, found == given
		}
	}
}

// step goes on to the next line or mark, but not beyond one chunk.
func (r *LineReader) step(upTo int64) (Line, outcome) {
	if r.mark {
		r.mark = false
		c := r.chunk
		return Line{Stream: c.Stream, Time: c.Time, Gap: c.Gap, Dropped: c.Dropped}, given
	}
	if line, found := r.fromChunk(upTo); found != nothing {
		return line, found
	}
	if r.Taken() >= upTo {
		return Line{}, nothing
	}
	c, ok := r.r.Next()
	if !ok {
		if r.r.Done() {
			return r.flush()
		}
		return Line{}, nothing
	}
	r.chunk, r.rest, r.lines = c, c.Data, c.Lines
	if c.Gap > 0 || c.Dropped > 0 {
		r.mark = true
		if r.partial[c.Stream].began > 0 {
			return r.broken(c.Stream, r.lines+1)
		}
	}
	return Line{}, passed
}

// fromChunk returns the next line that ends in chunk and within the first upTo bytes.
func (r *LineReader) fromChunk(upTo int64) (Line, outcome) {
	rest := r.rest[:max(0, min(int64(len(r.rest)), upTo-r.Taken()))]
	if len(rest) == 0 {
		return Line{}, nothing
	}
	s := r.chunk.Stream
	p := &r.partial[s]
	if r.find != nil && p.began == 0 {
		if rest = rest[r.skip(rest):]; len(rest) == 0 {
			return Line{}, nothing
		}
	}
	i := bytes.IndexByte(rest, '\n')
	if i < 0 {
		r.begin(p)
		p.add(rest)
		r.rest = r.rest[len(rest):]
		return Line{}, nothing
	}
	from := r.at()
	raw := r.rest[:i]
	r.rest = r.rest[i+1:]
	r.lines++
	if p.began == 0 {
		return Line{Stream: s, Number: r.lines, Time: r.chunk.Time, Raw: withoutReturns(raw), from: from, to: r.at()}, given
	}
	p.add(raw)
	return r.admit(r.complete(s, r.lines))
}

// skip passes over the whole lines at the start of rest that are not looked for, and returns how many bytes they have.
func (r *LineReader) skip(rest []byte) int {
	whole := rest[:bytes.LastIndexByte(rest, '\n')+1]
	start, _ := r.find.Find(whole)
	r.lines += count(whole[:start])
	r.rest = r.rest[start:]
	return start
}

// at returns the position of rest.
func (r *LineReader) at() int64 { return r.r.pos[r.chunk.Stream] - int64(len(r.rest)) }

// begin makes sure that p is a line.
func (r *LineReader) begin(p *partial) {
	if p.began == 0 {
		r.began++
		p.began, p.time, p.from = r.began, r.chunk.Time, r.at()
	}
}

// complete takes the line of s that has begun.
func (r *LineReader) complete(s proc.Stream, number int64) Line {
	p := &r.partial[s]
	line := p.line(s, number)
	p.reset()
	return line
}

// broken takes the line of s that has begun and has no end.
func (r *LineReader) broken(s proc.Stream, number int64) (Line, outcome) {
	line := r.complete(s, number)
	line.Partial = true
	line.to--
	return r.admit(line)
}

// admit passes over a line that is not looked for.
func (r *LineReader) admit(line Line) (Line, outcome) {
	if r.find != nil && !r.find.Match(line.Raw) {
		return Line{}, passed
	}
	return line, given
}

func withoutReturns(raw []byte) []byte { return bytes.TrimRight(raw, "\r") }

// look implements lineSource.
func (r *LineReader) look() (Line, outcome) { return r.step(math.MaxInt64) }
