// Package journal is the durable memory of a host: what it started, what ended and how, what is to be told to whom
// and what has arrived. A host that was killed, or whose machine lost power, finds out from it what it owes.
//
//	records ──Append──▶ one group ──▶ wal ──▶ on disk ──▶ then(nil)
//	                                  │
//	        State ◀──Apply── records ◀┘ at the next Open
//
// The package knows nothing of processes beyond its records. It does not look whether one lives, and decides nothing.
// How groups reach the disk, and what of them is found after a crash, is the matter of package wal.
//
// # Facts
//
// A record is one fact. State is what the facts amount to: Apply is a pure function of the State and the record, and
// total. What is over (an instance that was cleared, a notification that all have acknowledged, a session that is
// closed) leaves no trace but the numbers that were given out; so the State, and with it the file, stays as large as
// what is live.
//
// An end and the notification of it are appended in one call of Append, and there is never one without the other. A
// fact that others are to rely on is told after its callback has come.
//
// # Numbers
//
// Notifications have a number in the host and one in each session that they go to. Both rise by one, from what State
// says at the start; they are given out by the caller, in the order of Append. Events have numbers without records:
// they are reserved in blocks. No number is given out twice. What may have been in parts that cannot be read is left
// out, so that a reader sees a gap; and so are the numbers of an outage, of which somebody may have been told though
// their callbacks came with an error, if the host ended before the outage did.
//
// # What may be lost
//
// Nothing whose callback came without an error, unless the file is damaged afterwards. Then Report says what is known
// of the loss, and the State holds no more than was written: an instance whose end was lost is live in it, and
// whether it lives is for the caller to find out. An end of an instance whose record was lost is left out, and its
// notification is not.
//
// # Secrets
//
// No record has room for an environment. What the caller puts into Settings and Payload is its own responsibility.
// The directory is 0700, its files are 0600.
//
// # Format
//
// testdata/format.txt lists the records and their fields by number. A number keeps its meaning for ever. A reader
// skips fields that it does not know, and kinds from 64 on; a kind below makes it refuse the journal and leave it as
// it is. What was skipped is gone when the file is written anew, which Open does: a journal never says what the host
// that wrote it did not understand.
package journal
