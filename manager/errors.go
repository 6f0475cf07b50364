package manager

import "errors"

// What a caller may branch on.
var (
	ErrNotFound    = errors.New("no such process")
	ErrEnded       = errors.New("the process has ended")
	ErrClosed      = errors.New("the process manager is closed")
	ErrInUse       = errors.New("the id is in use")
	ErrStdinClosed = errors.New("stdin is closed")
	ErrStdinFull   = errors.New("the process does not read its stdin")
)
