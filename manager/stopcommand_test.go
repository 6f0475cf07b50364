package manager

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// commanded starts a process that is stopped by a command, which begin says of what it does. The process ignores
// TERM.
func commanded(h *fakeHost, begin func(c *fakeChild) error) proc.ID {
	h.sys.begin = func(spec proc.Spec, c *fakeChild) error {
		c.ignore = true
		if spec.Name == "a (stop)" {
			return begin(c)
		}
		return nil
	}
	spec := fakeSpec("a")
	spec.Env = []string{"A=1"}
	spec.Stop.Command = []string{"ctl", "stop"}
	if err := h.Start("a", spec, nil); err != nil {
		h.t.Fatal(err)
	}
	synctest.Wait()
	return "a"
}

func TestStopCommandInTime(t *testing.T) {
	returns := func(code int) leaderStatus { return leaderStatus{known: true, code: code} }
	stop := func(h *fakeHost, id proc.ID) <-chan StopResult {
		answered := make(chan StopResult, 1)
		go func() {
			r, _ := h.Stop(h.t.Context(), id, proc.StopRequest{})
			answered <- r
		}()
		synctest.Wait()
		return answered
	}

	bubble(t, "it ends the process", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return nil })
		answered := stop(h, id)
		assert.Equal(t, []string{"started", "terminating"}, h.told(id))
		h.sys.child("a").end(returns(0))
		time.Sleep(time.Second)
		assert.Empty(t, answered, "what it still does belongs to the stop")
		command := h.sys.child("a (stop)")
		command.end(returns(0))
		r := <-answered
		assert.True(t, r.OK)
		synctest.Wait()
		assert.Equal(t, []string{"0s let go", "0s abandon"}, withoutTimes(h.sys.child("a").notes()), "no signal was sent")
		assert.Equal(t, []string{"started", "terminating", "ended exit 0 by user"}, h.told(id))
		assert.Equal(t, []string{"0s KILL", "0s let go", "0s abandon"}, withoutTimes(command.notes()), "whom it leaves behind is killed")
		assert.Empty(t, h.troubles)
	})

	bubble(t, "it asks, and the process takes its time", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(c *fakeChild) error { c.end(returns(0)); return nil })
		answered := stop(h, id)
		time.Sleep(4 * time.Second)
		assert.NotContains(t, strings.Join(h.sys.child("a").notes(), " "), "TERM")
		h.sys.child("a").end(returns(0))
		assert.True(t, (<-answered).OK)
	})

	bubble(t, "the process does not obey it", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(c *fakeChild) error { c.end(returns(0)); return nil })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, "5s KILL", h.sys.child("a").notes()[0])
		assert.Empty(t, h.troubles)
	})

	bubble(t, "it fails", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(c *fakeChild) error { c.end(returns(3)); return nil })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, []string{"0s TERM", "5s KILL"}, h.sys.child("a").notes()[:2], "the escalation goes on")
		assert.Equal(t, []string{`process: the stop command of "a" exited with 3; SIGTERM is sent instead`}, h.troubles)
	})

	bubble(t, "it cannot be run", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return fmt.Errorf("start it: %w", errors.New("no such command")) })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{Spec: proc.StopSpec{Grace: time.Second}})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, []string{"0s TERM", "1s KILL"}, h.sys.child("a").notes()[:2])
		assert.Equal(t, []string{`process: the stop command of "a" could not be run: no such command; SIGTERM is sent instead`}, h.troubles)
	})

	bubble(t, "it hangs", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return nil })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		synctest.Wait()
		assert.Equal(t, "5s KILL", h.sys.child("a").notes()[0])
		assert.Equal(t, "5s KILL", h.sys.child("a (stop)").notes()[0])
		assert.Equal(t, []string{`process: the stop command of "a" has not ended in time and is killed`}, h.troubles)
	})

	bubble(t, "it hangs in its spawn", func(t *testing.T, h *fakeHost) {
		hangs := make(chan struct{})
		id := commanded(h, func(*fakeChild) error { <-hangs; return errors.New("at last") })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		close(hangs)
	})

	bubble(t, "force while it runs", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return nil })
		answered := stop(h, id)
		time.Sleep(time.Second)
		_, err := h.Stop(t.Context(), id, proc.StopRequest{Force: true})
		require.NoError(t, err)
		assert.True(t, (<-answered).OK)
		synctest.Wait()
		assert.Equal(t, "1s KILL", h.sys.child("a").notes()[0])
		assert.Equal(t, "1s KILL", h.sys.child("a (stop)").notes()[0])
		assert.Empty(t, h.troubles, "it was not given its time")
	})

	bubble(t, "a stop that says its own signal", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return errors.New("not to be run") })
		h.sys.child("a").ignore = false
		r, err := h.Stop(t.Context(), id, proc.StopRequest{Spec: proc.StopSpec{Signal: syscall.SIGTERM}})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Nil(t, h.sys.child("a (stop)"))
		assert.Equal(t, "TERM", showEnd(r.Info.End))
	})

	bubble(t, "a stop that only asks runs out of time", func(t *testing.T, h *fakeHost) {
		id := commanded(h, func(*fakeChild) error { return nil })
		r, err := h.Stop(t.Context(), id, proc.StopRequest{NoKill: true})
		require.NoError(t, err)
		assert.False(t, r.OK)
		synctest.Wait()
		first := h.sys.child("a (stop)")
		assert.Equal(t, "5s KILL", first.notes()[0])
		r, err = h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.NotSame(t, first, h.sys.child("a (stop)"), "a second stop runs it again")
	})
}

// withoutTimes shows what was done as if at once.
func withoutTimes(notes []string) []string {
	var out []string
	for _, n := range notes {
		_, what, _ := strings.Cut(n, " ")
		out = append(out, "0s "+what)
	}
	return out
}

func TestReviseInTime(t *testing.T) {
	bubble(t, "a later stop goes by it", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		require.NoError(t, h.Revise(id, proc.StopSpec{Signal: syscall.SIGHUP}, proc.EndLeftovers))
		require.NoError(t, h.Revise(id, proc.StopSpec{Signal: syscall.SIGINT, Grace: time.Second}, proc.EndLeftovers))
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, []string{"0s INT", "1s KILL"}, h.sys.child("a").notes()[:2])
	})

	bubble(t, "leftovers are kept from here on", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		h.sys.child("a").leave(census{group: []member{{pid: 11}}})
		require.NoError(t, h.Revise(id, proc.StopSpec{}, proc.KeepLeftovers))
		synctest.Wait()
		h.sys.child("a").end(leaderStatus{known: true})
		synctest.Wait()
		assert.Equal(t, []string{"0s let go, kept", "0s abandon"}, h.sys.child("a").notes())
		assert.ErrorIs(t, h.Revise("b", proc.StopSpec{}, proc.KeepLeftovers), ErrNotFound)
	})

	bubble(t, "also while it is being spawned", func(t *testing.T, h *fakeHost) {
		spawned := make(chan struct{})
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { <-spawned; return nil }
		id := h.start("a")
		require.NoError(t, h.Revise(id, proc.StopSpec{Signal: syscall.SIGINT, Grace: time.Second}, proc.EndLeftovers))
		close(spawned)
		_, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.Equal(t, "0s INT", h.sys.child("a").notes()[0])
	})
}

func TestStopCommand(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	dir := t.TempDir()
	spec := h.sh("trap 'echo bye; exit 4' USR1; trap '' TERM; echo ready; while :; do sleep 0.01; done")
	spec.Dir, spec.Env = dir, append(spec.Env, "WHAT=USR1")
	spec.Stop = proc.StopSpec{Grace: patience, Command: []string{"/bin/sh", "-c",
		"echo asking in $PWD; echo aside >&2; kill -$WHAT $PROCHOST_PID; (setsid $0 " + h.token + " &); exec >&-", "sleep"}}
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{})
	assert.True(t, r.OK)
	assert.Equal(t, proc.ExitedWith(4), r.Info.End)
	where, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	assert.Contains(t, h.observer(id).text(proc.Stdout), "asking in "+where+"\n")
	assert.Contains(t, h.observer(id).text(proc.Stdout), "bye\n")
	assert.Contains(t, h.log(id).text(proc.Stderr), "aside\n")
	h.await("the end of what the command left behind", func() bool { return len(processesWith(h.token)) == 0 })
	assert.Empty(t, h.told)
}

func TestStopCommandThatFails(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ argv, words string }{
		"exits":    {"exit 9", `process: the stop command of "test" exited with 9; SIGTERM is sent instead`},
		"dies":     {"kill -KILL $$", `process: the stop command of "test" was ended by SIGKILL; SIGTERM is sent instead`},
		"is not":   {"", `process: the stop command of "test" could not be run: no such command: "no-such-command" is not in the PATH; SIGTERM is sent instead`},
		"gives up": {"echo no >&2; exit 1", `process: the stop command of "test" exited with 1; SIGTERM is sent instead`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHost(t)
			spec := h.sh("trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done")
			spec.Stop = proc.StopSpec{Grace: patience, Command: []string{"/bin/sh", "-c", row.argv}}
			if row.argv == "" {
				spec.Stop.Command = []string{"no-such-command"}
			}
			id := h.running(spec)
			r := h.stop(id, proc.StopRequest{})
			assert.Equal(t, proc.ExitedWith(3), r.Info.End)
			assert.Equal(t, []string{row.words}, h.told)
		})
	}
}

func TestStopCommandThatHangs(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.sh("echo ready; $nap")
	spec.Stop = proc.StopSpec{Grace: 200 * time.Millisecond, Command: []string{"/bin/sh", "-c", "trap '' TERM; setsid sleep " + h.token + " & sleep " + h.token}}
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{})
	assert.True(t, r.OK)
	assert.Equal(t, proc.EndedBySignal(syscall.SIGKILL, true), r.Info.End)
	assert.Equal(t, []string{`process: the stop command of "test" has not ended in time and is killed`}, h.told)
	h.await("the end of the command", func() bool { return len(processesWith(h.token)) == 0 })
}

func TestStopOfTheParentOnly(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.role("orderly")
	spec.Stop = proc.StopSpec{Grace: patience, ParentOnly: true}
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{})
	assert.True(t, r.OK)
	assert.Equal(t, proc.ExitedWith(0), r.Info.End)
	assert.Equal(t, "ready\nthe child was not disturbed\n", h.observer(id).text(proc.Stdout))
}

// parentThatEndsItsChild ends its child by closing its input, and says whether the child had a signal.
func parentThatEndsItsChild() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	child := exec.Command("/bin/sh", "-c", "trap 'echo disturbed' TERM; echo ready; read x; echo the child was not disturbed")
	child.Stdout = os.Stdout
	in, err := child.StdinPipe()
	if err != nil {
		panic(err)
	}
	if err := child.Start(); err != nil {
		panic(err)
	}
	<-term
	in.Write([]byte("end\n"))
	if err := child.Wait(); err != nil {
		panic(err)
	}
}

func TestStopOfTheParentOnlyKillsWhoStays(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.sh("trap 'exit 3' TERM; (trap 'echo asked' TERM; (setsid $nap &); echo ready; while :; do sleep 0.01; done) & while :; do wait; done")
	spec.Stop = proc.StopSpec{Grace: 300 * time.Millisecond, ParentOnly: true}
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{})
	assert.True(t, r.OK)
	assert.Equal(t, proc.ExitedWith(3), r.Info.End)
	assert.GreaterOrEqual(t, r.Info.Ended.Sub(r.Info.Started), spec.Stop.Grace, "they have the grace")
	assert.NotContains(t, h.log(id).text(proc.Stdout), "asked")
	h.nothingSurvives()
}

func TestStoppedParentRunsItsHandler(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.role("handler")
	spec.Stop.ParentOnly = true
	id := h.running(spec)
	require.NoError(t, h.Signal(id, syscall.SIGSTOP))
	info, _ := h.Info(id)
	h.await("the process to stop", func() bool { return stateOf(info.PID) == 'T' })
	r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: patience}})
	assert.Equal(t, proc.ExitedWith(5), r.Info.End)
}
