package manager

import (
	"fmt"
	"os"
	"syscall"

	"github.com/creack/pty"

	"github.com/prochost/prochost/manager/proc"
)

// openTerminal opens a terminal, and returns the child's ends of its streams.
func (l *launched) openTerminal(in proc.Stdin, w proc.Window) (theirs []int, err error) {
	ours, other, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	defer ours.Close()
	defer other.Close()
	if w == (proc.Window{}) {
		w = proc.DefaultWindow
	}
	if err := setWindow(int(ours.Fd()), w); err != nil {
		return nil, err
	}
	fd, err := duplicate(ours)
	if err != nil {
		return nil, err
	}
	l.terminal = writable(fd)
	l.ends = [...]int{fd, fd, -1}
	if in == proc.StdinNull {
		l.ends[0] = -1
	}
	for i := range l.pipes {
		if i == 0 && in == proc.StdinNull {
			fd, err = openNull()
		} else {
			fd, err = childEnd(other)
		}
		if err != nil {
			return theirs, err
		}
		theirs = append(theirs, fd)
	}
	l.pipes[1+proc.Stdout] = terminalID(theirs[1+proc.Stdout])
	return theirs, nil
}

// childEnd returns a descriptor of f that blocks, as a child expects.
func childEnd(f *os.File) (int, error) {
	fd, err := duplicate(f)
	if err == nil {
		err = syscall.SetNonblock(fd, false)
	}
	return fd, err
}

// terminalID identifies a terminal by a descriptor of the end that processes have. Pipes have smaller numbers.
func terminalID(fd int) uint64 {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return 0
	}
	return terminalNumber(uint64(st.Dev), st.Ino)
}

func terminalNumber(dev, inode uint64) uint64 { return 1<<63 | dev<<32 | uint64(uint32(inode)) }
