package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
)

// Exit codes of prochost itself. `up` also passes on those of processes.
const (
	exitFine        = 0
	exitFailed      = 1 // a broken recipe too
	exitUsage       = 2
	exitNoHost      = 3
	exitUnknownName = 4
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

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var f *failure
	var b *badUse
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &f):
		return f.code
	case errors.As(err, &b):
		return exitUsage
	case errors.Is(err, rpc.ErrNoHost):
		return exitNoHost
	case errors.Is(err, host.ErrUnknownName), api.ReasonOf(err) == api.ReasonNotFound:
		return exitUnknownName
	}
	return exitFailed
}

// signalCode is the exit code of a program that a signal ended.
func signalCode(s syscall.Signal) int { return 128 + int(s) }
