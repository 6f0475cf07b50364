package manager

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// receive takes the streams that are handed over under descriptors of our own, and leaves open what it was given. It
// returns these descriptors, -1 for a stream that there is not.
func (c *leader) receive(a Adoption, out *output) (ends [1 + proc.NumStreams]int, err error) {
	ends = [...]int{-1, -1, -1}
	if a.Spec.PTY && a.Output[proc.Stdout] != nil {
		fd, err := duplicate(a.Output[proc.Stdout])
		if err != nil {
			return ends, fmt.Errorf("take over the terminal: %w", err)
		}
		ends[1+proc.Stdout] = fd
		if a.Stdin != nil {
			ends[0] = fd
		}
		c.takeTerminal(writable(fd), out, a.Stdin != nil)
		return ends, nil
	}
	for i, f := range [...]*os.File{a.Stdin, a.Output[proc.Stdout], a.Output[proc.Stderr]} {
		if f == nil {
			continue
		}
		fd, err := duplicate(f)
		if err != nil {
			return ends, fmt.Errorf("take over %q: %w", [...]string{"stdin", "stdout", "stderr"}[i], err)
		}
		ends[i] = fd
		if i == 0 {
			c.in = newStdin(writable(fd), c.kept)
		} else {
			syscall.SetNonblock(fd, true)
			c.add(newReader(proc.Stream(i-1), fd, out, c.flowEnded))
		}
	}
	for stream, followed := range a.Follow {
		if followed.Path == "" {
			continue
		}
		f, err := newFollower(proc.Stream(stream), followed, out, c.flowEnded)
		if err != nil {
			return ends, err
		}
		c.add(f)
	}
	return ends, nil
}

// duplicate returns a descriptor of our own for f, which has to be something that can be waited for.
func duplicate(f *os.File) (fd int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	var failed error
	err = conn.Control(func(theirs uintptr) {
		var st syscall.Stat_t
		if failed = syscall.Fstat(int(theirs), &st); failed != nil {
			return
		}
		switch st.Mode & syscall.S_IFMT {
		case syscall.S_IFIFO, syscall.S_IFSOCK, syscall.S_IFCHR:
			fd, failed = unix.FcntlInt(theirs, unix.F_DUPFD_CLOEXEC, 3)
		default:
			failed = fmt.Errorf("it is neither a pipe nor a socket nor a terminal")
		}
	})
	if err == nil {
		err = failed
	}
	return fd, err
}

// undo closes what was received for an adoption that is refused. Nobody is told.
func (c *leader) undo() {
	if c.in != nil {
		c.in.file.Close()
	}
	for _, f := range c.inflows {
		f.close()
	}
}
