// Package filewatch says when the content of a set of files has changed and has come to rest. It knows how
// editors save, not what the files mean: a save in place, by rename, by removal and re-creation, through a
// swapped symlink, or of fifty files at once is one change; a touch, a chmod or the same bytes written
// again is none.
//
// # The flow
//
//	system event ─interest─▶ hint ─burst─▶ rest ─fingerprints─▶ content differs ──▶ Changes
//	poll of paths that cannot be watched ─▶ ↑
//
// An event is a hint that it may be worth looking, and nothing else. What decides is a comparison of
// content, made when hints have stopped for Options.Quiet (or, if they never stop, after Options.Max), with
// what the caller said it had read (Track) or with what was reported last. So a lost, doubled or misnamed
// event costs a look at worst.
//
// # What is watched
//
// Only directories: a watch on a file dies with the save that replaces it. The content of a path depends on
// every directory entry that the system looks up on the way to it, symlinks included, and those are the
// entries that matter; each directory that holds one is watched, from the root down, so that a directory
// renamed far above is noticed too. Where a part of the way is missing, the last directory that exists is
// watched for it. A directory is watched before the entry in it is looked up, and content is read after
// all directories are watched: a change either comes before the reading or causes an event after it.
//
// The set of watches is made anew, out of what the paths resolve to, at each rest. If that added a
// directory, what happened in it before is unknown, so the burst is given one more rest before content is
// compared. An overflow of the system's queue or any other trouble it reports is a hint, followed by the
// same re-making.
//
// # Where the system cannot watch
//
// Paths whose directories cannot be watched (a limit is reached, no permission), lie on a file system that
// does not tell of changes made elsewhere (network, FUSE, proc), or cannot be read for want of descriptors,
// are looked at every Options.Poll; the others stay watched. Options.Notice tells that, once for each
// cause, and the return to watching. While everything is watched no timer runs.
//
// # What can be relied on
//
// A change is reported at least once after it has come to rest, however it raced with Track: the
// content given to Track is what the next look is compared with. Reports coalesce: Changes holds one. A report
// about content that was reported before, with nothing in between, does not happen. A report pending from an
// earlier set is withdrawn by Track.
//
// Not noticed, until something else causes a look: a change by mmap or through another hard link in a
// directory that is not watched, a file system mounted over or unmounted from a directory on the way, and,
// outside Linux, a renamed directory above the one that holds the file or the symlink.
package filewatch
