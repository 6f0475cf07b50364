package api

import (
	"strings"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// Info is one instance of a process.
type Info struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	PID          *int     `json:"pid"` // null where nothing ran
	Command      string   `json:"command"`
	Argv         []string `json:"argv,omitempty"`
	Cwd          string   `json:"cwd"`
	Source       string   `json:"source,omitempty"`
	PTY          bool     `json:"pty,omitempty"` // it has a terminal, and all of its output is stdout
	StartTime    int64    `json:"startTime"`
	EndTime      *int64   `json:"endTime"`
	Status       string   `json:"status"`
	ExitCode     *int     `json:"exitCode"`
	Success      *bool    `json:"success"` // null while live
	EndReason    *string  `json:"endReason"`
	Signal       *Signal  `json:"signal"`
	ErrorMessage *string  `json:"errorMessage"`
	StdoutFile   string   `json:"stdoutFile"`
	StderrFile   string   `json:"stderrFile"`
	Restarts     int      `json:"restarts"`
	Ready        *bool    `json:"ready,omitempty"`   // absent for a process without readiness
	Session      string   `json:"session,omitempty"` // who owns it; absent: the project
	Why          string   `json:"why,omitempty"`     // of a process of the recipe that has no live instance
}

// Signal is a signal that ended a process.
type Signal struct {
	Name        string `json:"name"` // in full, such as SIGTERM
	Number      int    `json:"number"`
	Description string `json:"description"`
}

// NewInfo puts an instance into the form of the wire.
func NewInfo(i proc.Info, restarts int, ready *bool) Info {
	out := Info{
		ID: string(i.ID), Name: i.Name, PID: orNull(i.PID, i.PID != 0),
		Command: i.Command, Argv: i.Argv, Cwd: i.Dir, Source: i.Source, PTY: i.PTY,
		StartTime: Millis(i.Started), EndTime: orNull(Millis(i.Ended), !i.Ended.IsZero()),
		Status:     i.Status.String(),
		EndReason:  orNull(i.EndReason(), i.EndReason() != ""),
		StdoutFile: i.StdoutFile, StderrFile: i.StderrFile,
		Restarts: restarts, Ready: ready,
	}
	if i.Status.Live() {
		return out
	}
	out.Success = orNull(i.End.Success(), true)
	code, hasCode := i.End.ExitCode()
	out.ExitCode = orNull(code, hasCode)
	out.ErrorMessage = orNull(i.End.Cause(), i.End.Cause() != "")
	out.Signal = newSignal(i.End)
	return out
}

// Live reports whether it has not ended: something of it runs, or is about to.
func (i Info) Live() bool {
	return i.Status == proc.Running.String() || i.Status == proc.Terminating.String() || i.Status == proc.TerminateTimeout.String()
}

// ShellCode is the code by which a shell would report the end; see proc.End.ShellCode. Of what is live it is 0.
func (i Info) ShellCode() int {
	switch {
	case i.Success != nil && *i.Success, i.EndTime == nil:
		return 0
	case i.Signal != nil:
		return 128 + i.Signal.Number
	case i.ErrorMessage != nil && strings.Contains(*i.ErrorMessage, proc.ErrNoCommand.Error()):
		return 127
	case i.ErrorMessage != nil:
		return 126
	case i.ExitCode != nil && *i.ExitCode > 0:
		return *i.ExitCode
	}
	return 1
}

func newSignal(e proc.End) *Signal {
	s, ok := e.Signal()
	if !ok {
		return nil
	}
	return &Signal{Name: notify.SignalName(s), Number: int(s), Description: notify.SignalDescription(s)}
}

// Millis is t in Unix milliseconds.
func Millis(t time.Time) int64 { return t.UnixMilli() }

func orNull[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	return &v
}
