package manager

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// pidVar tells the command of a stop whom it is to end.
const pidVar = "PROCHOST_PID"

// stopCommand is the command of a stop. It is a child like any other, with an id, a group and a session of its
// own, and its owner is a goroutine of its own. What it prints is taken as the process's output. It has ended
// when its leader has; whom that leaves behind is killed at once.
//
// A nil stopCommand is one that never ran.
type stopCommand struct {
	over chan commandOver // holds the one that there is
	quit chan struct{}    // closed when it is to end
	done chan struct{}    // closed when nothing of it is left
}

// runCommand runs argv where the process runs.
func (p *process) runCommand(argv []string) *stopCommand {
	c := &stopCommand{over: make(chan commandOver, 1), quit: make(chan struct{}), done: make(chan struct{})}
	env := append(p.spec.Env[:len(p.spec.Env):len(p.spec.Env)], pidVar+"="+strconv.Itoa(p.child.pid()))
	spec := proc.Spec{Name: p.spec.Name + " (stop)", Argv: argv, Dir: p.spec.Dir, Env: env, Stdin: proc.StdinNull}
	p.command.close()
	go c.run(p.m, spec, newOutput(passOn{p.out}))
	return c
}

func (c *stopCommand) run(m *Manager, spec proc.Spec, out *output) {
	defer close(c.done)
	select {
	case m.slots <- struct{}{}:
	case <-c.quit:
		return
	}
	child, err := m.system.start(proc.NewID(), spec, out, nil)
	<-m.slots
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil { // which process it is of is said without it
			err = cause
		}
		c.over <- commandOver{failure: fmt.Sprintf("could not be run: %v", err), at: time.Now()}
		return
	}
	child.listen()
	select {
	case <-child.over():
		status, _ := child.status()
		child.drain()
		c.over <- commandOver{failure: failureOf(status), at: time.Now()}
	case <-c.quit:
	}
	killEach(child)
	select {
	case <-child.over():
	case <-time.After(killPatience):
	}
	child.drain()
	child.letGo(false)
	child.abandon()
}

// failureOf says what is wrong with an end, or "" if nothing is.
func failureOf(s leaderStatus) string {
	switch {
	case !s.known:
		return "is gone"
	case s.signal != 0:
		return "was ended by " + unix.SignalName(s.signal)
	case s.code != 0:
		return fmt.Sprintf("exited with %d", s.code)
	}
	return ""
}

// ended tells the end, once.
func (c *stopCommand) ended() <-chan commandOver {
	if c == nil {
		return nil
	}
	return c.over
}

// end kills it, if it still runs.
func (c *stopCommand) end() {
	select {
	case <-c.quit:
	default:
		close(c.quit)
	}
}

// close ends it and waits until nothing of it is left, or it has outlived SIGKILL.
func (c *stopCommand) close() {
	if c == nil {
		return
	}
	c.end()
	select {
	case <-c.done:
	case <-time.After(2 * killPatience):
	}
}

// passOn hands what one child writes on to the output of another.
type passOn struct{ to *output }

// Output implements proc.Observer.
func (o passOn) Output(s proc.Stream, p []byte) { o.to.write(s, p) }

// Flush implements proc.Observer.
func (o passOn) Flush() {}
