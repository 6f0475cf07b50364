package manager

import "errors"

// What a caller may branch on.
var (
	ErrNotFound    = errors.New("no such process")
	ErrEnded       = errors.New("the process has ended")
	ErrClosed      = errors.New("the process manager is closed")
	ErrInUse       = errors.New("the id is in use")
	ErrStranger    = errors.New("nobody has that number who began then")
	ErrNotAdopted  = errors.New("the process was not adopted")
	ErrStdinClosed = errors.New("stdin is closed")
	ErrNoTerminal  = errors.New("the process has no terminal")
	ErrStdinFull   = errors.New("the process does not read its stdin")
)

var errOwnHost = errors.New("it is above this program, whose end it would be")
