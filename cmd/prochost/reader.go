package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchReader calls gone when f is a pipe or socket that nobody can read from any more. A write would tell too, but
// a stack may have nothing to say for hours after `prochost up | head -1` has its line. It lasts as long as the
// program.
func watchReader(f *os.File, gone func()) {
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd())}} // waits for no event: errors are told in any case
	go func() {
		for {
			_, err := unix.Poll(fds, -1)
			switch {
			case err == unix.EINTR:
			case err != nil:
				return
			case fds[0].Revents != 0:
				gone()
				return
			}
		}
	}()
}
