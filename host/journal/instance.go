package journal

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Instance says that there is an instance of a process, and what is true of it. A later one with the same ID takes
// its place, as when the pid becomes known or the name changes. There is no room in it for the values of environment
// variables.
type Instance struct {
	ID      proc.ID
	Name    string
	Process Process
	At      time.Time // when its start was asked for

	Command string
	Argv    []string
	Dir     string
	Source  string // who started it
	Session string // that owns it; empty: the project does
	Keep    bool   // it outlives its session
	Spec    string // hash of what is run, to find out whether a recipe has changed it
	Recipe  string // hash of the recipe that declared it

	Stdout, Stderr string // log files
	Restarts       int

	// Settings are what else the host needs to go on with it, in the form of the host. Whoever fills it leaves
	// secrets out.
	Settings string
}

// Process tells a process of the system from all others, those of earlier and later boots included. The zero Process
// is none: nothing runs, or not yet.
type Process struct {
	PID   int
	Boot  string // the boot id of the system
	Ticks uint64 // when it began, in clock ticks since the boot
}

func (*Instance) kind() kind { return kindInstance }

func (r *Instance) fields(f *fields) {
	text(f, 1, &r.ID)
	text(f, 2, &r.Name)
	f.int(3, &r.Process.PID)
	text(f, 4, &r.Process.Boot)
	f.uint(5, &r.Process.Ticks)
	f.time(6, &r.At)
	text(f, 7, &r.Command)
	texts(f, 8, &r.Argv)
	text(f, 9, &r.Dir)
	text(f, 10, &r.Source)
	text(f, 11, &r.Session)
	f.flag(12, &r.Keep)
	text(f, 13, &r.Spec)
	text(f, 14, &r.Recipe)
	text(f, 15, &r.Stdout)
	text(f, 16, &r.Stderr)
	f.int(17, &r.Restarts)
	text(f, 18, &r.Settings)
}

// Stopping says that the end of an instance was asked for; it is to be appended before the first signal. One that is
// empty but for the ID takes it back.
type Stopping struct {
	ID       proc.ID
	At       time.Time
	By       string // on whose behalf
	TimedOut bool   // it ran out of time, and something of the instance was alive
}

func (*Stopping) kind() kind { return kindStopping }

func (r *Stopping) fields(f *fields) {
	text(f, 1, &r.ID)
	f.time(2, &r.At)
	text(f, 3, &r.By)
	f.flag(4, &r.TimedOut)
}

// Ended says how an instance ended. The first one counts.
type Ended struct {
	ID  proc.ID
	At  time.Time
	End proc.End
	By  string // who asked for this end; empty: nobody did
}

func (*Ended) kind() kind { return kindEnded }

func (r *Ended) fields(f *fields) {
	text(f, 1, &r.ID)
	f.time(2, &r.At)
	end(f, 3, &r.End)
	text(f, 4, &r.By)
}

// Cleared says that instances which have ended are to be forgotten. One that has not ended stays.
type Cleared struct {
	IDs []proc.ID
}

func (*Cleared) kind() kind { return kindCleared }

func (r *Cleared) fields(f *fields) { texts(f, 1, &r.IDs) }
