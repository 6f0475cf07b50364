package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Own makes dir, and what leads to it, if it is not there, and sees to it that it is a folder of this user, closed to
// others.
func Own(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "use", Path: dir, Err: errors.New("it is a link, or no folder")}
	}
	if uid := owner(info); uid != os.Geteuid() {
		return &fs.PathError{Op: "use", Path: dir, Err: fmt.Errorf("it belongs to user %d", uid)}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
