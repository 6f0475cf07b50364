package manager

import "github.com/prochost/prochost/manager/proc"

// Options are what a Manager needs of its host. The zero Options are usable: nobody is told, nothing is kept.
type Options struct {
	// Events is told everything that happens, per instance in order, by that instance's owner. It must
	// not block and must not call the Manager.
	Events func(proc.Event)
	// OpenLog opens the log of one instance. An error is reported as trouble, and the process runs
	// without a log.
	OpenLog func(id proc.ID) (Log, error)
	// Trouble is told what went wrong beside the processes themselves: what is "log" or "process". It
	// must not block.
	Trouble func(what, message string)
	// OwnsOrphans declares that every session leader which this program starts is started by a Manager.
	// Then every orphan in a session of its own descends from a managed process: it is reaped when it
	// dies, and Close ends it even if nothing says whose it was. Children that the program starts in its
	// own session by other means are never touched.
	OwnsOrphans bool
	// Keeper holds on to what the processes would lose with this program; nil: nobody does.
	Keeper Keeper
}

// Log keeps what one process writes.
type Log interface {
	// Append takes the next bytes in order of arrival; it is not called concurrently. It neither keeps p
	// nor blocks for long, and whatever goes wrong is its own affair.
	Append(s proc.Stream, p []byte)
	// Files names where the streams are kept.
	Files() (stdout, stderr string)
	// Close is called once, after the last Append.
	Close() error
}
