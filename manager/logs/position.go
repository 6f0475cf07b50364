package logs

import "time"

// Position is where in a log reading begins. The zero Position is its start.
type Position struct {
	kind positionKind
	n    int
	t    time.Time
}

type positionKind uint8

const (
	fromStart positionKind = iota
	fromEnd
	fromTail
	fromTime
)

// Start is the first byte that the process wrote. What is not kept any more is told as a gap.
func Start() Position { return Position{} }

// End is where the next byte will come.
func End() Position { return Position{kind: fromEnd} }

// Tail is the begin of the last n lines, counted over the streams that are read by the arrival of their ends.
// Of a log that is closed, a last line without an end counts; of one that is written, what has come of the
// next line is read as well.
func Tail(n int) Position { return Position{kind: fromTail, n: max(n, 0)} }

// Since is the begin of the first line whose first byte arrived at t or later.
func Since(t time.Time) Position { return Position{kind: fromTime, t: t} }
