package statedir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Lock is the right to be the host of a project.
type Lock struct {
	dir  Dir
	file *os.File
}

// HeldError says that the project has a host.
type HeldError struct {
	Project string
	Host    Holder // zero while it has not introduced itself
}

func (e *HeldError) Error() string {
	if e.Host.PID == 0 {
		return fmt.Sprintf("%q is about to have another host", e.Project)
	}
	return fmt.Sprintf("%q has a host already, process %d", e.Project, e.Host.PID)
}

const (
	// introduction is how long a host may take to say who it is, once it has the lock.
	introduction = time.Second
	// glance is the time between two looks at who it is.
	glance = 10 * time.Millisecond
)

// Lock makes this process the host of the project. h says who it is; its project and process are filled in. If there
// is a host already the error is a HeldError, which waits a moment for that host to say who it is.
func (d Dir) Lock(h Holder) (*Lock, error) {
	l, err := d.lock(h)
	if held := (*HeldError)(nil); err != nil && !errors.As(err, &held) {
		return nil, fmt.Errorf("become the host of %q: %w", d.Project, err)
	}
	return l, err
}

func (d Dir) lock(h Holder) (*Lock, error) {
	if err := Own(d.State); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(introduction); ; time.Sleep(glance) {
		f, err := Acquire(filepath.Join(d.State, "host.lock"), false)
		if err == nil {
			return d.introduce(f, h)
		}
		if !errors.Is(err, ErrLocked) {
			return nil, err
		}
		// A record whose process is gone is that of a host that was killed: the one that has the lock is yet to write its own.
		if other, ok := d.Holder(); ok && other.lives() {
			return nil, &HeldError{Project: d.Project, Host: other}
		}
		if time.Now().After(deadline) {
			return nil, &HeldError{Project: d.Project}
		}
	}
}

func (d Dir) introduce(f *os.File, h Holder) (*Lock, error) {
	h.PID, h.Project = os.Getpid(), d.Project
	if err := h.write(d.record()); err != nil {
		f.Close()
		return nil, err
	}
	return &Lock{dir: d, file: f}, nil
}

// Release lets others become the host.
func (l *Lock) Release() error {
	err := os.Remove(l.dir.record())
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.file.Close())
}
