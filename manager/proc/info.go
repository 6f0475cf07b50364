package proc

import "time"

// Info is a snapshot of one instance. It is a value: later changes do not reach it. Environment values
// never enter it.
type Info struct {
	ID      ID
	Name    string
	PID     int    // 0 where nothing ran
	Born    uint64 // when PID began, as in Identity
	Command string // as Spec.CommandLine
	Argv    []string
	Dir     string
	Source  string
	PTY     bool // it has a terminal

	Status  Status
	Started time.Time // when the start was asked for
	Ended   time.Time // zero while live
	End     End       // meaningful once Status is not Live
	// TimedOut says that a stop of this instance ran out of time. If it died later by itself the
	// wire's endReason is kill_timeout.
	TimedOut bool

	StdoutFile, StderrFile string
	Delivery               Delivery
}

// EndReason returns the wire word for how it ended, or "" while it is live and no stop timed out.
func (i Info) EndReason() string {
	switch {
	case i.TimedOut:
		return "kill_timeout"
	case i.Status.Live():
		return ""
	}
	return i.End.Reason().String()
}
