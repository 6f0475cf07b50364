// Package wal is a write-ahead log that remembers groups of bytes through anything that ends a process or a machine.
// It keeps a Memory, which is what the groups amount to, so that the log never grows far beyond what is worth
// remembering.
//
//	Append ──▶ queue ──▶ Memory.Apply ──▶ write, fdatasync ──▶ then(nil)
//	                          │                 │ fails
//	                          └── Snapshot ──▶ a fresh file ──▶ then(nil), or then(error) and again later
//
// # Groups
//
// A group is written whole or not at all. One goroutine writes: it takes all groups that are waiting, writes them
// with one write and makes them durable with one fdatasync, while the next ones gather. There is no timer in this, so
// one writer waits for one fdatasync, and a hundred writers share it.
//
// # Files
//
// There is one file, and for a moment two. A file begins with a snapshot of the Memory and goes on with the groups
// that were appended since; it is named by its generation, which rises, and by a number at random (its salt). It is
// written under another name, synced, renamed, and the directory synced, before its predecessor is removed. So
// whichever of them is found after a crash is complete.
//
// Everything that could go wrong with a file has the same cure: a fresh file made from the Memory. It is made when
// the old one has outgrown its live content, at each Open, and after a write or an fdatasync that failed. A failed
// fdatasync is never tried again on the same file: the system may have thrown the pages away and report success the
// next time.
//
// # What a broken file tells
//
// The header of each frame says up to which byte the file was durable when the frame was written. When the log comes
// to rest an empty frame says it of the last group. This tells two things apart when a file is read:
//
//   - What is broken beyond the last byte known to be durable was being written when the machine stopped. Nobody was
//     told that it is durable. It is cut off with all that follows it (Report.Torn).
//   - What is broken before that byte was durable once and has been damaged since. It is named (Report.Damage), what
//     follows is read, and the file is kept aside.
//
// Two things cannot be known. If the damage is in the very last commit and the machine stopped before that empty
// frame reached the disk, it looks torn. And a file that was cut off exactly between two commits looks like one from
// an earlier moment.
//
// Frames are found again behind damage by a word that is different in each file, and their checksums cover the salt
// and the place. So bytes within a group are not taken for a frame, whoever wrote them.
//
// # Order and loss
//
// Groups become durable in the order of their Appends, and their callbacks are called in this order by the goroutine
// of the log. What is found by Open is the result of the first k groups that were ever appended, where k is at least
// the number of those reported as durable; damage aside.
//
// While nothing can be written (the disk is full, say) callbacks get an error, at once. The groups stay in the
// Memory, and so in the next file that can be written; they must not be appended again. That is tried at growing
// intervals. It takes as much room as the Memory, since the old file is not given up before. A file named outage
// stands in the directory meanwhile, if that can be made, so that the next start knows (Report.Outage).
package wal
