package manager

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// fionread asks how many bytes a pipe holds.
const fionread = unix.TIOCINQ

// pipe opens a pipe that no child inherits.
func pipe() (r, w int, err error) {
	var p [2]int
	err = syscall.Pipe2(p[:], syscall.O_CLOEXEC)
	return p[0], p[1], err
}
