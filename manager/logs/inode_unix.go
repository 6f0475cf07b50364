//go:build unix

package logs

import (
	"io/fs"
	"syscall"
)

// inode returns the number by which the file system knows a file, 0 if there is none.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
