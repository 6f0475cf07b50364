package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
)

// Exit codes of prochost itself. `up` and `run` also pass on those of processes.
const (
	exitFine        = 0
	exitFailed      = 1 // a broken recipe too
	exitUsage       = 2
	exitNoHost      = 3
	exitUnknownName = 4
	exitTimeout     = 124
)

// failure ends the program with a code.
type failure struct {
	code int
	err  error // nil: all has been said
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}

// badUse is a command line that means nothing.
type badUse struct{ err error }

func (b *badUse) Error() string { return b.err.Error() }

// reasonCodes are the exit codes of refusals by a host; any other is exitFailed.
var reasonCodes = map[api.Reason]int{
	api.ReasonInvalid:   exitUsage,
	api.ReasonAmbiguous: exitUsage,
	api.ReasonNotFound:  exitUnknownName,
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var f *failure
	var b *badUse
	var u *unknownName
	switch {
	case err == nil, errors.Is(err, errReaderGone):
		return exitFine
	case errors.As(err, &f):
		return f.code
	case errors.As(err, &b):
		return exitUsage
	case errors.Is(err, rpc.ErrNoHost), errors.Is(err, rpc.ErrSilent):
		return exitNoHost
	case errors.Is(err, host.ErrUnknownName), errors.As(err, &u):
		return exitUnknownName
	}
	if code, ok := reasonCodes[api.ReasonOf(err)]; ok {
		return code
	}
	return exitFailed
}

// signalCode is the exit code of a program that a signal ended.
func signalCode(s syscall.Signal) int { return 128 + int(s) }
