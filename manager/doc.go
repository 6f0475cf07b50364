// Package manager runs processes and owns each of them until its end. It decides nothing about who is told:
// it says what happened, exactly once and in order.
//
// # Theory of operation
//
//	Start ──▶ owner goroutine ──▶ spawn ──▶ leader, in a session and group of its own
//	              │    ▲                       │ pipes ──▶ poller ──▶ Log, Observer
//	   Events ◀───┘    └── requests            └ pidfd ──▶ poller ──▶ the owner: it has ended
//
// Each instance has one owner, a goroutine, and nobody else touches its state. The owner takes what happens
// (a request, the end of the leader, a deadline, a look at who else lives) as an input to step, a pure function
// that returns the next state and what is to be done; then it does that. Others hold a handle: they send
// requests, and read the record through an atomic pointer. The lock of the Manager guards its map of handles.
//
// A few pollers read the output of all children, each with a goroutine that waits for many pipes at once. In a
// round each of them has one read of a bounded size, those that flood after the others. A poller reads the
// first line after a silence at once, and what follows within a millisecond together, for it costs more to
// wake up than to read a line. While nothing happens it sleeps; there is no ticker. Where there are no pollers
// a goroutine waits for each stream.
//
// A process with a terminal has one stream in place of two, which ends with its leader and not before; see terminal.
//
// What the system does is behind the interfaces child and system. The files with _linux in their name are all
// that knows Linux, and those with _darwin do as much as that system allows.
//
// # A process is a leader and its descendants
//
// The leader's wait status is the end of the process, however long others hold its pipes. But a stop is over
// only when nobody of the process lives: not in the leader's group, and not among those descendants that have
// left it. How these are found is told at genealogy and reaper; this process becomes their reaper, and every
// child finds the id of its instance in the variable PROCHOST_ID of its environment. Descendants outside the
// group are signalled after the group is gone, so that a server which ends its own children in order is not
// disturbed at it.
//
// The command of a stop is a child of its own beside the process, with an owner of its own; see stopCommand. The
// stop waits for it as it waits for the process, and the grace bounds both.
//
// A number is never trusted to be who it was. The leader is held by a pidfd and stays a zombie until its group
// is empty or is left alone, so that no stranger can be given its number; others are signalled through a pidfd
// that was checked against their start time.
//
// # What can be relied on
//
//   - Events of one instance come in order, from its owner: Started, any number of Changed, at most one Ended.
//     A process that cannot be spawned has an Ended only. There is none after a stop that timed out, unless a
//     later stop succeeds.
//   - Everything that the leader wrote before its end is in the log and has been seen by the observer before
//     Ended, and the observer has been flushed. What leftovers write later is in the log only.
//   - Bytes of one stream keep their order; the order of the two streams is that of arrival. No byte is
//     dropped here.
//   - Ended.Stop names whoever asked for the end before there was a wait status, and is nil otherwise. The
//     mark is set before the first signal. A signal sent by request marks nothing.
//   - A request that has been accepted is carried out even if the asker goes away. Requests for one process
//     are taken one after another.
//   - After Close no goroutine, descriptor or zombie of this package is left, and no process that was started
//     here but for those whose leftovers are to be kept, and those that outlive SIGKILL, which its error names.
package manager
