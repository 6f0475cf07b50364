package stack

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// ExitOn says which end of a process ends the rest. An end after which the process is started again is none.
type ExitOn struct {
	Any     bool
	Failure bool
	Name    string // of one process, however it ends
}

func (x ExitOn) meets(name string, e proc.End) bool {
	return x.Any || x.Failure && !e.Success() || x.Name != "" && x.Name == name
}

// Code is the exit code of the whole: that of the end that ended the rest, else that of the first failure that
// nobody asked for and no restart mended, else 0.
func (s *Stack) Code() int {
	if s.exitOn != nil {
		return s.exitOn.ShellCode()
	}
	var (
		code  int
		first time.Time
	)
	for _, sl := range s.slots {
		if sl.failed && (code == 0 || sl.failedAt.Before(first)) {
			code, first = sl.failure.ShellCode(), sl.failedAt
		}
	}
	return code
}
