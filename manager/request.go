package manager

import (
	"context"
	"fmt"
	"strings"
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// Signal sends sig to the group of id. It is no stop: it marks nothing, changes no status, and an end that
// follows is told as any other. ErrNotFound, ErrEnded.
func (m *Manager) Signal(id proc.ID, sig syscall.Signal) error {
	reply := make(chan error, 1)
	return ask(m, id, askSignal{sig, reply}, reply)
}

// Release lets go of a foreground claim on the end of id: from here on the end is told by a notification.
// ErrEnded: the end came first and has gone to the claim, whose holder is to report it. Without a claim
// nothing happens. ErrNotFound.
func (m *Manager) Release(id proc.ID) error {
	reply := make(chan error, 1)
	return ask(m, id, askRelease{reply}, reply)
}

// Rename changes the name of a process that lives. ErrNotFound, ErrEnded.
func (m *Manager) Rename(id proc.ID, name string) error {
	reply := make(chan error, 1)
	return ask(m, id, askRename{name, reply}, reply)
}

// Resize changes the size of the terminal of id, in characters, both at least 1; the process is told of it by
// SIGWINCH. ErrNotFound, ErrEnded, ErrNoTerminal.
func (m *Manager) Resize(id proc.ID, rows, cols uint16) error {
	if rows == 0 || cols == 0 {
		return fmt.Errorf("resize %s: %d rows of %d columns are no window", id, rows, cols)
	}
	reply := make(chan error, 1)
	return ask(m, id, askResize{proc.Window{Rows: rows, Cols: cols}, reply}, reply)
}

// Write writes p to the standard input of id, and ends the input after it if end is set: a pipe is closed, and
// into a terminal Ctrl-D is typed, which leaves it open for whoever reads next. It returns within a second, with the number of bytes that were taken: fewer than len(p) with ErrStdinFull if the process does
// not read, and the input then stays open. ErrNotFound, ErrEnded, ErrStdinClosed.
func (m *Manager) Write(ctx context.Context, id proc.ID, p []byte, end bool) (int, error) {
	owner, err := m.find(id)
	if err != nil {
		return 0, err
	}
	reply := make(chan stdinAnswer, 1)
	if err := owner.send(ctx, askStdin{reply}); err != nil {
		return 0, err
	}
	select {
	case a := <-reply:
		if a.err != nil {
			return 0, a.err
		}
		n, err := a.stdin.write(ctx, p, end)
		if err == ErrStdinClosed && !owner.info().Status.Live() {
			err = ErrEnded
		}
		return n, err
	case <-owner.done:
		return 0, ErrEnded
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// ask hands c to the owner of id and returns its answer.
func ask(m *Manager, id proc.ID, c control, reply <-chan error) error {
	p, err := m.find(id)
	if err != nil {
		return err
	}
	if err := p.send(context.Background(), c); err != nil {
		return p.lateAnswer(c)
	}
	select {
	case err := <-reply:
		return err
	case <-p.done:
	}
	select {
	case err := <-reply:
		return err
	default:
		return p.lateAnswer(c)
	}
}

// lateAnswer answers c when the owner is gone.
func (p *process) lateAnswer(c control) error {
	if _, is := c.(askRelease); is && p.info().Delivery.Completion != proc.ClaimTool {
		return nil
	}
	return ErrEnded
}

// listed writes leftovers on one line.
func listed(ls []proc.Leftover) string {
	words := make([]string, len(ls))
	for i, l := range ls {
		words[i] = fmt.Sprintf("%d (%s)", l.PID, l.Command)
	}
	return strings.Join(words, ", ")
}
