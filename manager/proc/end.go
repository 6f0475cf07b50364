package proc

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
)

// EndReason says what ended a process.
type EndReason uint8

const (
	// Lost: gone, and the system kept no status for us.
	Lost EndReason = iota
	// SpawnFailed: it never ran.
	SpawnFailed
	// NoPID: the system accepted it and gave no process id. Go's own spawn cannot end so; the word
	// exists for processes that others start and hand over.
	NoPID
	// Returned: it returned an exit code.
	Returned
	// Signaled: a signal ended it.
	Signaled
	NumEndReasons int = iota
)

var reasonWords = [NumEndReasons]string{"lost", "spawn_error", "missing_pid", "exit", "signal"}

// String returns the wire word.
func (r EndReason) String() string {
	if int(r) < len(reasonWords) {
		return reasonWords[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// End says how a process ended. It is comparable and opaque; the constructors are the only way to one.
// The zero End is a process that vanished by itself, of which nothing is known.
type End struct {
	reason  EndReason
	killed  bool // Status is Killed
	success bool // Reason is Returned and the code counts as success
	unknown bool // Reason is SpawnFailed and there was no such command
	code    int
	signal  syscall.Signal
	cause   string
}

// ErrNoCommand is wrapped by the cause of an end if there was no such command.
var ErrNoCommand = errors.New("no such command")

// ExitedWith is the end of a process that returned code. Code 0 is success, and so is each of
// successCodes.
func ExitedWith(code int, successCodes ...int) End {
	return End{reason: Returned, code: code, success: code == 0 || slices.Contains(successCodes, code)}
}

// EndedBySignal is the end of a process by s. A signal that a program raises by its own fault (SIGSEGV,
// SIGABRT and kin) leaves it Exited, any other leaves it Killed; asked says that we had sent s
// ourselves, and then it is Killed whatever s is.
func EndedBySignal(s syscall.Signal, asked bool) End {
	return End{reason: Signaled, signal: s, killed: asked || !ownFault(s)}
}

// NeverRan is the end of a process that could not be started; cause says why, and wraps ErrNoCommand where
// that is why.
func NeverRan(cause error) End {
	return End{reason: SpawnFailed, code: -1, cause: cause.Error(), unknown: errors.Is(cause, ErrNoCommand)}
}

// HadNoPID is the end of a process for which the system gave no process id.
func HadNoPID() End { return End{reason: NoPID, code: -1} }

// Vanished is the end of a process that is gone without a status. asked says that we had sent it a
// signal, and then it counts as Killed.
func Vanished(asked bool) End { return End{reason: Lost, killed: asked} }

func ownFault(s syscall.Signal) bool {
	switch s {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGSYS:
		return true
	}
	return false
}

// Reason says what ended the process.
func (e End) Reason() EndReason { return e.reason }

// Status is Exited or Killed.
func (e End) Status() Status {
	if e.killed {
		return Killed
	}
	return Exited
}

// Success reports whether the process returned 0 or a code declared as success.
func (e End) Success() bool { return e.success }

// ExitCode returns the code; ok is false where the wire says null (an end by a signal, or a lost one).
// A process that never ran has -1.
func (e End) ExitCode() (code int, ok bool) {
	switch e.reason {
	case Returned, SpawnFailed, NoPID:
		return e.code, true
	}
	return 0, false
}

// Signal returns the signal that ended the process; ok is false if none did.
func (e End) Signal() (s syscall.Signal, ok bool) {
	return e.signal, e.reason == Signaled
}

// Cause says why a process never ran; it is empty for every other end.
func (e End) Cause() string { return e.cause }

// ShellCode is the code by which a shell would report the end: the exit code, 128 + n for a signal, 127 for
// a command that was not found, 126 for one that could not be run, 1 where nothing is known.
func (e End) ShellCode() int {
	switch e.reason {
	case Returned:
		if e.success {
			return 0
		}
		return e.code
	case Signaled:
		return 128 + int(e.signal)
	case SpawnFailed:
		if e.unknown {
			return 127
		}
		return 126
	}
	return 1
}
