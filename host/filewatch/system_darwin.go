package filewatch

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

var local = system{silent: silent, remedy: remedy}

// mntLocal is MNT_LOCAL of <sys/mount.h>: the file system is stored on this machine.
const mntLocal = 0x1000

func silent(dir string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil || st.Flags&mntLocal != 0 {
		return ""
	}
	var name []byte
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return string(name)
}

func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "raise the limit of open files (ulimit -n, sysctl kern.maxfilesperproc)"
	case errors.Is(err, syscall.ENFILE):
		return "raise the sysctl kern.maxfiles"
	}
	return ""
}

func changeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctimespec.Unix())
	}
	return info.ModTime()
}
