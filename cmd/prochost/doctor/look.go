package doctor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Look fills in what the system itself tells. State, SocketDir and Shell are set before.
func (f *Facts) Look() {
	if len(f.Shell) > 0 {
		f.ShellPath, _ = exec.LookPath(f.Shell[0])
	}
	f.OpenFiles, f.Processes = limit(unix.RLIMIT_NOFILE), limit(unix.RLIMIT_NPROC)
	f.Watches = number("/proc/sys/fs/inotify/max_user_watches")
	f.Instances = number("/proc/sys/fs/inotify/max_user_instances")
	f.Proc, f.Pidfd = seesProcesses(), hasPidfd()
	f.State.look()
	f.SocketDir.look()
}

// limit is how far a limit may be raised, which a program of Go does by itself.
func limit(which int) uint64 {
	var l unix.Rlimit
	if err := unix.Getrlimit(which, &l); err != nil || l.Max >= 1<<62 {
		return Unlimited
	}
	return l.Max
}

// number reads a file that holds one number; -1: there is none.
func number(path string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// look finds out whether the folder can be used, or could be made.
func (f *Folder) look() {
	if f.Path == "" {
		return
	}
	if info, err := os.Lstat(f.Path); err == nil {
		f.Err = usable(f.Path, info)
	}
	there, err := nearest(f.Path)
	if err != nil {
		if f.Err == nil {
			f.Err = err
		}
		return
	}
	if f.Err == nil && unix.Access(there, unix.W_OK|unix.X_OK) != nil {
		f.Err = fmt.Errorf("nothing can be made in %s", there)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(there, &st); err != nil {
		f.Err = errors.Join(f.Err, err)
		return
	}
	f.Free = uint64(st.Bavail) * uint64(st.Bsize)
	if st.Files > 0 {
		f.Full = int(100 - 100*uint64(st.Ffree)/uint64(st.Files))
	}
}

// usable says why a folder that is there is none for what others may not see.
func usable(path string, info os.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("%s is a link, or no folder", path)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to user %d", path, st.Uid)
	}
	return nil
}

// nearest returns the folder, or the nearest above it that is there.
func nearest(path string) (string, error) {
	for {
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			return path, nil
		case err == nil, errors.Is(err, syscall.ENOTDIR):
			return "", fmt.Errorf("%s is no folder", path)
		case !errors.Is(err, os.ErrNotExist):
			return "", err
		case path == filepath.Dir(path):
			return "", err
		}
		path = filepath.Dir(path)
	}
}
