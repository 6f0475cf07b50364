package proc

import "syscall"

// Event is something that happened to an instance: Started, Changed or Ended.
type Event interface{ event() }

// Started reports that the process runs: its pid is known.
type Started struct {
	Info Info
	// Adopted says that others had started it. It may have ended by now; then Ended follows.
	Adopted bool
}

// Changed reports that Info changed in another way: a stop began, a stop timed out, a timed-out process
// died, a claim was released, the name changed.
type Changed struct{ Info Info }

// Ended reports the end. At most one per instance; none after a stop that timed out, unless a second
// stop succeeded.
type Ended struct {
	Info Info
	End  End
	// Stop says who asked for this end. It is nil when nobody did, also when a stop came too late.
	Stop *StopRequest
	// Leftovers are the members of the group that outlived the leader, known at the moment of the end.
	Leftovers []Leftover
	// OutOfMemory says that the kernel's out-of-memory killer provably ended it.
	OutOfMemory bool
}

func (Started) event() {}
func (Changed) event() {}
func (Ended) event()   {}

// Leftover is a process of the group that outlived its leader.
type Leftover struct {
	PID     int
	Command string
}

// Cause says on whose behalf a process is stopped.
type Cause uint8

const (
	ByUser     Cause = iota // a person or an agent, through any surface
	ByShutdown              // the host ends
	ByReload                // a reload removed or replaced it
	ByRestart               // a restart was asked for
	ByExitOn                // another process's end ends the rest
	NumCauses  int   = iota
)

var causeWords = [NumCauses]string{"user", "shutdown", "reload", "restart", "exit-on"}

// String returns the word.
func (c Cause) String() string { return causeWords[c] }

// StopRequest asks for the end of a process.
type StopRequest struct {
	By Cause
	// Spec says how. Without a signal it is asked as the Spec of the process says, to the group or not, by
	// a command or not; with one all of that is as it stands here. A Grace of zero is that of the process.
	Spec  StopSpec
	Force bool // SIGKILL at once
	// NoKill: one signal, then wait for Spec.Grace; the group is not killed when it is over.
	NoKill bool
}

// Signal returns the first signal that req sends.
func (r StopRequest) Signal() syscall.Signal {
	if r.Force {
		return syscall.SIGKILL
	}
	return r.Spec.Signal
}
