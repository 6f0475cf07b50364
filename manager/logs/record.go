package logs

import (
	"encoding/binary"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A record is the arrival of some bytes of one stream.
type record struct {
	stream   proc.Stream
	from, to int64 // positions in the stream
	lines    int64 // line ends among the bytes
	time     int64 // of arrival, in Unix milliseconds
}

// millis returns the time of Unix milliseconds.
func millis(ms int64) time.Time { return time.UnixMilli(ms) }

func (r record) empty() bool { return r.from == r.to }

// maxRecord is the length of the longest encoded record.
const maxRecord = 3 * binary.MaxVarintLen64

// appendRecord encodes r, which follows what arrived at the time before, behind b. Where it begins is known
// from the records before it.
func appendRecord(b []byte, r record, before int64) []byte {
	b = binary.AppendUvarint(b, uint64(r.to-r.from)<<1|uint64(r.stream))
	b = binary.AppendVarint(b, r.time-before)
	return binary.AppendUvarint(b, uint64(r.lines))
}

// A cursor stands between two records.
type cursor struct {
	place [proc.NumStreams]int64 // positions where the next records begin
	lines int64                  // line ends before it, of both streams
	time  int64                  // of the record before it
}

// decode takes the record at the start of b and moves behind it. n is its length, 0 if there is none.
func (c *cursor) decode(b []byte) (r record, n int) {
	key, n1 := binary.Uvarint(b)
	if n1 <= 0 {
		return record{}, 0
	}
	dt, n2 := binary.Varint(b[n1:])
	if n2 <= 0 {
		return record{}, 0
	}
	lines, n3 := binary.Uvarint(b[n1+n2:])
	if n3 <= 0 {
		return record{}, 0
	}
	s := proc.Stream(key & 1)
	r = record{stream: s, from: c.place[s], to: c.place[s] + int64(key>>1), lines: int64(lines), time: c.time + dt}
	c.pass(r)
	return r, n1 + n2 + n3
}

// pass moves behind r.
func (c *cursor) pass(r record) {
	c.place[r.stream] = r.to
	c.lines += r.lines
	c.time = r.time
}
