package manager

import (
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// A control is a request to the owner of a process. The owner takes them one at a time, and answers each by
// its channel, which holds one answer and is never waited for.
type control interface{ control() }

type (
	askStop struct {
		req   proc.StopRequest
		reply chan<- answer
	}
	askSignal struct {
		sig   syscall.Signal
		reply chan<- error
	}
	askRelease struct{ reply chan<- error }
	askRename  struct {
		name  string
		reply chan<- error
	}
	// askReport says how an adopted process has ended.
	askReport struct {
		status leaderStatus
		reply  chan<- error
	}
	askResize struct {
		window proc.Window
		reply  chan<- error
	}
	// askStdin asks for the standard input, to write to it beside the owner.
	askStdin struct{ reply chan<- stdinAnswer }
)

type stdinAnswer struct {
	stdin *stdin
	err   error
}

func (askStop) control()    {}
func (askSignal) control()  {}
func (askRelease) control() {}
func (askRename) control()  {}
func (askReport) control()  {}
func (askResize) control()  {}
func (askStdin) control()   {}
