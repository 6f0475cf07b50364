package logs

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// MaxLine is how much of a line is given, in bytes.
const MaxLine = 64 << 10

// A Line is one line of one stream, or a mark in the place of bytes that are not there (Gap or Dropped is not
// 0; it has no bytes and no number of its own).
type Line struct {
	Stream proc.Stream
	// Number counts the lines of both streams from 1, in order of arrival of their ends. A line of which
	// the end is missing has the number of one that ended there.
	Number int64
	Time   time.Time // of arrival of its first byte, to the millisecond
	// Raw is the line as it came, without its end: a line feed, and carriage returns directly before it.
	// It is valid until the next call of Next.
	Raw []byte
	// Truncated says that Raw is not all of the line: it is its first MaxLine bytes, or if a carriage return
	// came after these, what follows the last such.
	Truncated bool
	Partial   bool // the line has no end: the process ended, or the end is missing

	Gap, Dropped int64 // as in Chunk

	from, to int64 // positions in the stream where it begins, and where its end is over
}
