package statedir

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// ErrLocked says that somebody holds the lock.
var ErrLocked = errors.New("somebody else has locked it")

// Acquire opens the file at path, which is made if it is not there, and locks it until it is closed or this process ends.
// If somebody holds the lock it waits, or returns ErrLocked.
func Acquire(path string, wait bool) (*os.File, error) {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := flock(f, how); err != nil {
			f.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				err = ErrLocked
			}
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}
		// Whoever removed the file meanwhile would have others lock another one.
		if there, err := os.Stat(path); err == nil {
			if mine, err := f.Stat(); err == nil && os.SameFile(there, mine) {
				return f, nil
			}
		}
		f.Close()
	}
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}
