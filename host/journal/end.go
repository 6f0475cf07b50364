package journal

import (
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// storedEnd is a proc.End in parts. What is read is put together by the constructors of proc, so that no file can say
// what they would not.
type storedEnd struct {
	reason    string // a word, as the numbers of proc may change
	code      int
	success   bool
	signal    int
	killed    bool
	cause     string
	noCommand bool
}

// A reason was added: see end.
var _ [0]struct{} = [proc.NumEndReasons - 5]struct{}{}

func storeEnd(e proc.End) storedEnd {
	s := storedEnd{reason: e.Reason().String(), success: e.Success(), killed: e.Status() == proc.Killed, cause: e.Cause()}
	if code, ok := e.ExitCode(); ok && e.Reason() == proc.Returned {
		s.code = code
	}
	if signal, ok := e.Signal(); ok {
		s.signal = int(signal)
	}
	s.noCommand = e.Reason() == proc.SpawnFailed && e.ShellCode() == proc.NeverRan(proc.ErrNoCommand).ShellCode()
	return s
}

// end returns what was stored. A reason that is not known is an end of which nothing is known.
func (s storedEnd) end() proc.End {
	switch s.reason {
	case proc.SpawnFailed.String():
		return proc.NeverRan(storedCause{s.cause, s.noCommand})
	case proc.NoPID.String():
		return proc.HadNoPID()
	case proc.Returned.String():
		if s.success {
			return proc.ExitedWith(s.code, s.code)
		}
		return proc.ExitedWith(s.code)
	case proc.Signaled.String():
		return proc.EndedBySignal(syscall.Signal(s.signal), s.killed)
	}
	return proc.Vanished(s.killed)
}

func (s *storedEnd) fields(f *fields) {
	text(f, 1, &s.reason)
	f.int(2, &s.code)
	f.flag(3, &s.success)
	f.int(4, &s.signal)
	f.flag(5, &s.killed)
	text(f, 6, &s.cause)
	f.flag(7, &s.noCommand)
}

// end carries an end.
func end(f *fields, number int, v *proc.End) {
	if f.encode {
		if *v != (proc.End{}) {
			s := storeEnd(*v)
			f.nested(number, s.fields)
		}
		return
	}
	var s storedEnd
	f.nested(number, s.fields)
	*v = s.end()
}

// storedCause is why a process never ran.
type storedCause struct {
	text      string
	noCommand bool
}

func (c storedCause) Error() string { return c.text }

func (c storedCause) Unwrap() error {
	if c.noCommand {
		return proc.ErrNoCommand
	}
	return nil
}
