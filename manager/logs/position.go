package logs

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Position is a place in a log, between lines or between bytes: one in each stream. The zero Position is its start.
type Position struct {
	kind positionKind
	n    int64
	t    time.Time
	// Of fromLine, which is the begin or the end of a line without an end: where that is in its stream.
	stream proc.Stream
	pos    int64
}

type positionKind uint8

const (
	fromStart positionKind = iota
	fromEnd
	fromTail
	fromTime
	fromNumber
	fromLine
)

// Start is the first byte that the process wrote. What is not kept any more is told as a gap.
func Start() Position { return Position{} }

// End is where the next byte will come.
func End() Position { return Position{kind: fromEnd} }

// Tail is the begin of the last n lines, counted over the streams that are read by the arrival of their ends.
// Of a log that is closed, a last line without an end counts; of one that is written, what has come of the
// next line is read as well.
func Tail(n int) Position { return Position{kind: fromTail, n: int64(max(n, 0))} }

// Since is the begin of the first line whose first byte arrived at t or later.
func Since(t time.Time) Position { return Position{kind: fromTime, t: t} }

// AtLine is the begin of the line with a number, as Line has it, of both streams. The lines before it are those whose
// ends arrived before its end did. If there is no such line, it is the end of a log that is closed, and where the next
// line begins in one that is written.
func AtLine(number int64) Position { return Position{kind: fromNumber, n: max(number, 1)} }

// Begin is where the line begins: the lines before it end there, if it is View.To, and it is the first one behind
// it.
func (l Line) Begin() Position {
	if !l.Partial {
		return AtLine(l.Number)
	}
	return Position{kind: fromLine, n: l.Number, stream: l.Stream, pos: l.from}
}

// End is behind the line: those that come after it begin there.
func (l Line) End() Position {
	if !l.Partial {
		return AtLine(l.Number + 1)
	}
	return Position{kind: fromLine, n: l.Number, stream: l.Stream, pos: l.to}
}
