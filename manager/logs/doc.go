// Package logs keeps what one instance of a process writes, on disk: the exact bytes of each stream in a
// file of its own, and beside them an index of the order in which they arrived. Every byte is written
// once; the combined view of both streams is made from the index when somebody reads.
//
//	Append ──▶ ID-stdout.log, ID-stderr.log   the bytes, one write a block
//	       ├─▶ ID-order.idx                   stream, length, time and line ends of each arrival
//	       └─▶ wakes who waits for more
//	Reader ◀── the files, at its own pace ──▶ Chunk
//	LineReader ◀── Reader ──────────────────▶ Line
//	Search ◀── LineReader, or back from the end ──▶ Line that a Pattern matches
//
// # Writing
//
// Append is called by one goroutine at a time. It neither fails nor waits for a reader. What cannot be
// written is counted, told once through Options.Trouble when it begins and once when it is over, and is
// shown to readers as a mark where it is missing. Whether writing works again is found out by later calls
// of Append, at growing intervals; there is no goroutine and no timer in this package.
//
// # Size
//
// A stream has at most Options.Keep files: the newest, which always has the plain name, and older ones, numbered
// ID-stdout.1.log and on. When the newest is full (its part of Options.Cap) the oldest is removed and each becomes
// the next older. The index is a ring of pages in a file of at most a quarter of the cap. So one log
// never has more than 2¼ caps on disk, whatever is written.
//
// # The index
//
// A page covers some hundred arrivals and stands for itself: it carries a checksum and says at which
// byte of each stream, and at which line, it begins. Arrivals of one stream in the same millisecond are
// one record. The page that is being filled is in memory; it is written when it is full, when a second
// has passed since (at the next Append), when a file is renamed, and by Close. After a crash the bytes
// that no page covers are still there: Load puts them at the end, stdout first.
//
// # Searching
//
// A Pattern is given by who searches: this package knows nothing of what is seen of a line. Forward, a Search is a
// LineReader that hands the Pattern all whole lines of a chunk at once, and puts together those alone that lie in
// several. Backward, it walks the index from the end, since that knows which arrivals end a line, reads those, and goes
// back from a line end to where the line begins. Both give the same lines with the same numbers. Neither reads more
// than a window at a time, so whoever looks for one line reads no further than that.
//
// # Order and loss
//
// A Reader gives every byte of a stream once, in order, and the streams among each other in their order
// of arrival, except for bytes whose pages were lost. Bytes that are gone, because their file was
// rotated out or taken away, or that never reached the disk, are told where they are missing. A position
// in a stream is the number of bytes of it that were written before, from the first byte on; it is never
// reused.
package logs
