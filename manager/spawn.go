package manager

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// launched is what has become of a spec: the leader, and our ends of its pipes.
type launched struct {
	pid     int
	pidfd   int                         // -1 where there is none
	ends    [1 + proc.NumStreams]int    // our ends of the streams, -1 for the null device
	stdin   *os.File                    // nil for the null device
	outputs [proc.NumStreams]int        // to read from, without waiting
	pipes   [1 + proc.NumStreams]uint64 // the identities of its streams, 0 for the null device

	terminal *os.File // our end of its terminal, which then is in place of pipes; nil without one
}

// launch starts spec as the leader of a session and a group of its own. An error says what is wrong in words
// that help.
func launch(id proc.ID, spec proc.Spec, kept *keeping) (l launched, err error) {
	argv := spec.Argv
	if spec.Command != "" {
		argv = append(slices.Clone(spec.Shell), spec.Command)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("start %q: %w", spec.Name, err)
		}
	}()
	if err := noNUL(argv, spec.Env, spec.Dir); err != nil {
		return l, err
	}
	env := mark(spec.Env, id)
	path, err := lookPath(argv[0], env, spec.Dir)
	if err != nil {
		if wrongDir := explainDir(spec.Dir); wrongDir != nil {
			return l, wrongDir
		}
		return l, err
	}

	var theirs []int
	l.outputs = [proc.NumStreams]int{-1, -1}
	defer func() {
		for _, fd := range theirs {
			syscall.Close(fd)
		}
		if err != nil {
			l.closePipes()
		}
	}()
	attr := syscall.ProcAttr{Dir: spec.Dir, Env: env, Sys: &syscall.SysProcAttr{Setsid: true}}
	if spec.PTY {
		theirs, err = l.openTerminal(spec.Stdin, spec.Window)
		attr.Sys.Setctty, attr.Sys.Ctty = true, int(proc.Stdout)+1
	} else {
		theirs, err = l.openPipes(spec.Stdin)
	}
	if err != nil {
		return l, explainLimits(err)
	}
	kept.hold(l.ends)
	defer func() {
		if err != nil {
			kept.forget(false)
		}
	}()
	for _, fd := range theirs {
		attr.Files = append(attr.Files, uintptr(fd))
	}
	pidfd := -1
	askForPidfd(attr.Sys, &pidfd)
	defaultSignals()
	l.pid, _, err = syscall.StartProcess(path, argv, &attr)
	if err != nil {
		return l, explain(err, path, argv, env, spec.Dir)
	}
	l.pidfd = pidfd
	return l, nil
}

// openPipes opens the streams, and returns the child's ends of them.
func (l *launched) openPipes(in proc.Stdin) (theirs []int, err error) {
	add := func(fd, ours int) {
		l.pipes[len(theirs)], l.ends[len(theirs)] = inodeOf(fd), ours
		theirs = append(theirs, fd)
	}
	if in == proc.StdinNull {
		fd, err := openNull()
		if err != nil {
			return theirs, err
		}
		add(fd, -1)
		l.pipes[0] = 0 // everybody has the null device
	} else {
		r, w, err := pipe()
		if err != nil {
			return theirs, err
		}
		add(r, w)
		l.stdin = writable(w)
	}
	for s := range l.outputs {
		r, w, err := pipe()
		if err != nil {
			return theirs, err
		}
		add(w, r)
		syscall.SetNonblock(r, true)
		l.outputs[s] = r
	}
	return theirs, nil
}

func openNull() (fd int, err error) {
	return syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
}

// writable wraps the writing end of a pipe, or our end of a terminal, so that the runtime polls it, and no thread
// waits in a write.
func writable(fd int) *os.File {
	syscall.SetNonblock(fd, true)
	return os.NewFile(uintptr(fd), "stdin")
}

func (l *launched) closePipes() {
	l.stdin.Close() // a nil file is none
	l.terminal.Close()
	for _, fd := range l.outputs {
		if fd >= 0 {
			syscall.Close(fd)
		}
	}
}

// inodeOf identifies a pipe.
func inodeOf(fd int) uint64 {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return 0
	}
	return st.Ino
}
