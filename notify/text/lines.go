package text

import (
	"bytes"
	"iter"
)

// MaxLine is the length of the longest line that Lines reports, in characters of visible text.
const MaxLine = 10_000

const (
	// maxReady bounds the cleaned lines that are gathered before they are reported.
	maxReady = 8 << 10
	// Plain lines fewer than this are rather copied behind what is gathered than reported alone.
	worthwhile = 2 << 10
)

// Lines finds the visible lines of one stream that comes in blocks. The zero value is ready for the
// first block. It keeps the visible text of one line that is not complete, at most MaxLine characters.
//
// Lines that are plain ASCII are looked at, eight bytes at a time, and reported where they are. All
// others are cleaned into a buffer.
type Lines struct {
	c    cleaner
	open bool // a line has begun and not ended
}

// Write takes the next block and calls emit with the visible text of each line that ends in it and has
// any, up to MaxLine characters. The slice is valid during the call.
func (l *Lines) Write(block []byte, emit func(line []byte)) {
	l.WriteRuns(block, eachLine(emit))
}

// Flush takes the end of the stream: a last line without line end is complete. What is written after it
// begins another stream.
func (l *Lines) Flush(emit func(line []byte)) {
	l.FlushRuns(eachLine(emit))
}

func eachLine(emit func(line []byte)) func(run []byte) {
	return func(run []byte) {
		for len(run) > 0 {
			i := bytes.IndexByte(run, '\n')
			if i > 0 {
				emit(run[:i:i])
			}
			run = run[i+1:]
		}
	}
}

// WriteRuns is Write for those who look at many lines at a time, to search them all at once. A run is the
// visible text of one or more lines in order, each followed by a line feed. There may be empty lines
// among them, which Each leaves out.
func (l *Lines) WriteRuns(block []byte, emit func(run []byte)) {
	l.c.limit = MaxLine
	for len(block) > 0 {
		if !l.open {
			if n := wholePlainLines(block); n > 0 {
				l.plain(block[:n], emit)
				block = block[n:]
				continue
			}
		}
		i := bytes.IndexByte(block, '\n')
		if i < 0 {
			l.c.write(block)
			l.open = true
			break
		}
		l.c.write(block[:i])
		l.endLine(emit)
		block = block[i+1:]
	}
	l.report(emit)
}

// FlushRuns is Flush for runs.
func (l *Lines) FlushRuns(emit func(run []byte)) {
	if l.open {
		l.endLine(emit)
	}
	l.report(emit)
}

// Skip takes the next block for those who have no use for the lines that end in it: they are not reported.
// The last line, if it goes on, is reported whole should a later block end it that is not skipped.
func (l *Lines) Skip(block []byte) {
	l.c.limit = MaxLine
	if i := bytes.LastIndexByte(block, '\n'); i >= 0 {
		block = block[i+1:]
		if l.open {
			l.open = false
			l.c.endLine()
			l.c.out = l.c.out[:l.c.start]
			l.c.newLine()
		}
	}
	if len(block) > 0 {
		l.c.write(block)
		l.open = true
	}
	l.shrink()
}

// Each returns the lines of a run that are not empty, without their ends.
func Each(run []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(run) > 0 {
			i := bytes.IndexByte(run, '\n')
			if i > 0 && !yield(run[:i:i]) {
				return
			}
			run = run[i+1:]
		}
	}
}

// plain takes lines that need no cleaning.
func (l *Lines) plain(run []byte, emit func(run []byte)) {
	if l.c.start > 0 && len(run) < worthwhile {
		l.c.out = append(l.c.out, run...)
		l.c.newLine()
		return
	}
	l.report(emit)
	emit(run)
}

// endLine completes the line in the cleaner.
func (l *Lines) endLine(emit func(run []byte)) {
	l.open = false
	l.c.endLine()
	if len(l.c.out) > l.c.start {
		l.c.out = append(l.c.out, '\n')
	}
	l.c.newLine()
	if l.c.start >= maxReady {
		l.report(emit)
	}
}

// report hands over the cleaned lines and keeps the one that is not complete.
func (l *Lines) report(emit func(run []byte)) {
	c := &l.c
	if c.start > 0 {
		emit(c.out[:c.start:c.start])
		c.out = c.out[:copy(c.out, c.out[c.start:])]
		c.cellsAt -= c.start
		c.start = 0
	}
	l.shrink()
}

// shrink lets go of the room of a long line that is over.
func (l *Lines) shrink() {
	if len(l.c.out) == 0 && cap(l.c.out) > 2*maxReady {
		l.c.out = nil
	}
}

// wholePlainLines returns the length of the whole lines at the start of block that are visible as they
// are and not too long.
func wholePlainLines(block []byte) int {
	n := bytes.LastIndexByte(block[:plainLinesSpan(block)], '\n') + 1
	// Of every MaxLine+1 bytes one must end a line.
	for at := 0; n-at > MaxLine+1; {
		i := bytes.LastIndexByte(block[at:at+MaxLine+1], '\n')
		if i < 0 {
			return at
		}
		at += i + 1
	}
	return n
}
