package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Run is the folder of one run. Its lock is held until Close.
type Run struct {
	Dir     string // absolute
	project string // the folder of the project
	lock    *os.File
}

// Open makes the folder of a run that begins at now, for the project at an absolute path.
func Open(root, project string, now time.Time) (*Run, error) {
	r, err := open(root, project, now)
	if err != nil {
		return nil, fmt.Errorf("make the folder for logs: %w", err)
	}
	return r, nil
}

func open(root, project string, now time.Time) (*Run, error) {
	r := &Run{project: filepath.Join(root, folder(project))}
	if err := os.MkdirAll(r.project, 0o700); err != nil {
		return nil, err
	}
	if err := claim(r.project); err != nil {
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
	r.lock, err = lock(filepath.Join(r.Dir, "lock"), unix.LOCK_EX|unix.LOCK_NB)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Close lets go of the folder, which stays.
func (r *Run) Close() error { return r.lock.Close() }

func (r *Run) runs() string { return filepath.Join(r.project, "runs") }

func (r *Run) lockProject() (unlock func() error, err error) {
	f, err := lock(filepath.Join(r.project, "lock"), unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	return f.Close, nil
}

// claim sees to it that dir is a folder of this user, closed to others.
func claim(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "use", Path: dir, Err: errors.New("it is a link, or no folder")}
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return &fs.PathError{Op: "use", Path: dir, Err: fmt.Errorf("it belongs to user %d", st.Uid)}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// lock opens a file and takes its lock. The error is EWOULDBLOCK if how has LOCK_NB and somebody holds it.
func lock(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), how)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}
