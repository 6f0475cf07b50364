package manager

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// signal signals m if it still is who it was.
func (m member) signal(sig syscall.Signal) {
	fd, err := m.open(0)
	switch {
	case err == nil:
		unix.PidfdSendSignal(fd, sig, nil, 0)
		unix.Close(fd)
	case !errors.Is(err, unix.ESRCH) && m.lives():
		syscall.Kill(m.pid, sig)
	}
}

// watch closes changed when m has gone.
func (m member) watch() (<-chan struct{}, func(), error) {
	changed := make(chan struct{})
	fd, err := m.open(unix.PIDFD_NONBLOCK)
	switch {
	case errors.Is(err, unix.ESRCH):
		close(changed)
		return changed, func() {}, nil
	case err != nil:
		return nil, nil, err
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	go func() {
		defer f.Close()
		if conn.Read(ready) == nil {
			close(changed)
		}
	}()
	return changed, func() { f.Close() }, nil
}

// ready reports whether the process of a pidfd has ended.
func ready(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0
}

// open returns a pidfd of m. It is ESRCH if m is gone, also if another process has its number.
func (m member) open(flags int) (int, error) {
	fd, err := unix.PidfdOpen(m.pid, flags)
	if err != nil {
		return -1, err
	}
	if !m.lives() {
		unix.Close(fd)
		return -1, unix.ESRCH
	}
	return fd, nil
}

// lives reports whether m is there and is who it was.
func (m member) lives() bool {
	e, err := readEntry(m.pid)
	return err == nil && e.started == m.started && !e.dead
}
