package vm

import (
	"runtime"
	"syscall"
)

// peakRSS returns the most resident memory that a process had, in bytes.
func peakRSS(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
