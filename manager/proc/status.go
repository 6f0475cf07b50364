package proc

import "fmt"

// Status is what is true of an instance.
type Status uint8

const (
	// Running: the process is alive and nobody has asked it to end.
	Running Status = iota
	// Terminating: a stop has been asked for and its grace time runs.
	Terminating
	// TerminateTimeout: a stop ran out of time and something of the group is still alive. A second
	// stop is possible; a later death is recorded, never told.
	TerminateTimeout
	// Exited: over, by itself or by its own fault.
	Exited
	// Killed: over, by a signal from outside or from us.
	Killed
	NumStatuses int = iota
)

var statusWords = [NumStatuses]string{"running", "terminating", "terminate_timeout", "exited", "killed"}

// Live reports whether something of the instance may still run.
func (s Status) Live() bool { return s < Exited }

// String returns the wire word.
func (s Status) String() string {
	if int(s) < len(statusWords) {
		return statusWords[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// MarshalText implements encoding.TextMarshaler.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
