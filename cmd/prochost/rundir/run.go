package rundir

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/host/statedir"
)

// Run is the folder of one run. Its lock is held until Close.
type Run struct {
	Dir     string // absolute
	project string // the folder of the project
	lock    *os.File
}

// Open makes the folder of a run that begins at now, in the folder of the project's state.
func Open(state string, now time.Time) (*Run, error) {
	r, err := open(state, now)
	if err != nil {
		return nil, fmt.Errorf("make the folder for logs: %w", err)
	}
	return r, nil
}

func open(state string, now time.Time) (*Run, error) {
	r := &Run{project: state}
	if err := statedir.Own(r.project); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.runs(), 0o700); err != nil {
		return nil, err
	}
	// Between the making of the folder and the taking of its lock it would look like one that nobody holds.
	unlock, err := r.lockProject()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Dir = filepath.Join(r.runs(), fmt.Sprintf("%s-%d", now.UTC().Format("20060102-150405.000"), os.Getpid()))
	if err := os.Mkdir(r.Dir, 0o700); err != nil {
		return nil, err
	}
	r.lock, err = statedir.Acquire(filepath.Join(r.Dir, "lock"), false)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Close lets go of the folder, which stays.
func (r *Run) Close() error { return r.lock.Close() }

func (r *Run) runs() string { return filepath.Join(r.project, "runs") }

func (r *Run) lockProject() (unlock func() error, err error) {
	f, err := statedir.Acquire(filepath.Join(r.project, "lock"), true)
	if err != nil {
		return nil, err
	}
	return f.Close, nil
}
