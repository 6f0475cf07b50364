//go:build unix

package logs

import (
	"io/fs"
	"syscall"
)

// inode returns the number by which the file system knows a file, 0 if there is none or info is nil.
func inode(info fs.FileInfo) uint64 {
	if info == nil {
		return 0
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
