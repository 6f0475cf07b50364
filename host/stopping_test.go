package host

import (
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// instancesOf returns the ids of all instances of a name.
func instancesOf(t *testing.T, s api.Service, name string) (ids []string) {
	t.Helper()
	all, err := s.List(t.Context(), api.ListIn{})
	require.NoError(t, err)
	for _, i := range all {
		if i.Name == name && i.ID != "" {
			ids = append(ids, i.ID)
		}
	}
	return ids
}

// A process that waits for its restart and is stopped stays so: when its delay is over nothing is started.
func TestStopDuringTheDelayOfARestart(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `
process "fails" { command = "exit 1", restart = { on = "failure", delay = "150ms" } }
job "clock" { command = "sleep 0.4", auto = false }
`)
	r.wait(0, "its end", notified("fails", "crash"))
	out, err := s.Stop(t.Context(), api.StopIn{ID: "fails"})
	require.NoError(t, err)
	assert.True(t, out.OK)
	before := instancesOf(t, s, "fails")
	_, err = s.Start(t.Context(), api.StartIn{Name: "clock"})
	require.NoError(t, err)
	r.wait(0, "the time when it would have been started", ended("clock"))
	assert.Equal(t, before, instancesOf(t, s, "fails"))
	assert.Equal(t, "declared", latest(t, s)["fails"])
}

// A process that is started again without a pause is stopped at any moment of it, an end, a spawn, or a run of no
// time: after the answer nothing of it runs and nothing is started.
func TestStopOfARestartInFlight(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "fails" { command = "exit 1", restart = { on = "failure", delay = "0s" } }`)
	at := 0
	for range 30 {
		_, at = r.wait(at, "a start", started("fails"))
		r.wait(at, "its restart", started("fails"))
		out, err := s.Stop(t.Context(), api.StopIn{ID: "fails"})
		require.NoError(t, err)
		assert.True(t, out.OK)
		assert.Equal(t, "declared", latest(t, s)["fails"])
		before := instancesOf(t, s, "fails")
		_, err = s.Why(t.Context(), api.Ref{ID: "fails"})
		require.NoError(t, err)
		assert.Equal(t, before, instancesOf(t, s, "fails"))
		r.mu.Lock()
		at = len(r.events)
		r.mu.Unlock()
		_, err = s.Start(t.Context(), api.StartIn{Name: "fails"})
		require.NoError(t, err)
	}
	out, err := s.Stop(t.Context(), api.StopIn{ID: "fails"})
	require.NoError(t, err)
	assert.True(t, out.OK)
}

// Ctrl-C does not wait for a restart that is an hour away.
func TestShutdownDuringTheDelayOfARestart(t *testing.T) {
	t.Parallel()
	r := newRig(t, `process "fails" { command = "exit 1", restart = { on = "failure", delay = "1h" } }`)
	r.wait(0, "its end", notified("fails", "crash"))
	r.h.Shutdown(false)
	starts := 0
	for _, e := range r.finish() {
		if started("fails")(e) {
			starts++
		}
	}
	assert.Equal(t, 1, starts)
	assert.Equal(t, 1, r.code)
}

// Twenty clients stop a process while it ends by itself: it has one end, and all get the same answer.
func TestTwentyClientsStopOne(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "p" { command = "echo up; sleep 0.02; exit 4", auto = false }`)
	for range 10 {
		i, err := s.Start(t.Context(), api.StartIn{Name: "p"})
		require.NoError(t, err)
		var outs [20]api.StopOut
		var errs [20]error
		var clients sync.WaitGroup
		for n := range outs {
			ref := []string{"p", i.ID}[n%2]
			clients.Go(func() { outs[n], errs[n] = s.Stop(t.Context(), api.StopIn{ID: ref}) })
		}
		clients.Wait()
		for n := range outs {
			assert.Equal(t, outs[0], outs[n])
			assert.Equal(t, errs[0], errs[n])
		}
		for _, ref := range []string{"p", i.ID} {
			late, err := s.Stop(t.Context(), api.StopIn{ID: ref})
			assert.NoError(t, err)
			assert.Equal(t, outs[0], late)
		}
		r.wait(0, "its end", func(e api.Event) bool { x, is := e.(*api.Ended); return is && x.Process.ID == i.ID })
	}
	r.h.Shutdown(false)
	ends := map[string]int{}
	for _, e := range r.finish() {
		if e, is := e.(*api.Ended); is {
			ends[e.Process.ID]++
		}
	}
	assert.Len(t, ends, 10)
	for id, n := range ends {
		assert.Equal(t, 1, n, id)
	}
}

const stubborn = `process "stubborn" {
	command = "trap '' TERM; trap 'exit 0' USR1; echo up; while :; do sleep 0.01; done", auto = false, ready = { log = "up" },
}`

func startStubborn(t *testing.T, r *rig, s api.Service) string {
	t.Helper()
	i, err := s.Start(t.Context(), api.StartIn{Name: "stubborn"})
	require.NoError(t, err)
	_, err = s.Wait(t.Context(), api.WaitIn{ID: i.ID, For: "ready"})
	require.NoError(t, err)
	return i.ID
}

// A signal that was to end a process and does not in its time is no end. Nobody is told, not even when the process
// dies later; and another signal may end it after all.
func TestKillThatTimesOut(t *testing.T) {
	t.Parallel()
	r, s := newService(t, stubborn)
	ctx, short := t.Context(), int64(50)
	id := startStubborn(t, r, s)
	out, err := s.Kill(ctx, api.KillIn{ID: id, TimeoutMs: &short})
	require.NoError(t, err)
	assert.False(t, out.OK)
	assert.Equal(t, "timeout", out.Reason)
	assert.Equal(t, "terminate_timeout", out.Info.Status)
	require.NotEmpty(t, out.Survivors)
	_, err = s.Signal(ctx, api.SignalIn{ID: id, Signal: "USR1"})
	require.NoError(t, err)
	r.wait(0, "its late death", func(e api.Event) bool {
		c, is := e.(*api.Changed)
		return is && c.Process.ID == id && c.Process.Status == "killed"
	})

	id = startStubborn(t, r, s)
	out, err = s.Kill(ctx, api.KillIn{ID: id, TimeoutMs: &short})
	require.NoError(t, err)
	assert.Equal(t, "timeout", out.Reason)
	out, err = s.Kill(ctx, api.KillIn{ID: id, Signal: "KILL"})
	require.NoError(t, err)
	assert.True(t, out.OK)
	assert.Equal(t, "killed", out.Info.Status)

	r.h.Shutdown(false)
	var ends, told []string
	for _, e := range r.finish() {
		switch e := e.(type) {
		case *api.Ended:
			ends = append(ends, e.Process.ID)
		case *api.Notified:
			told = append(told, e.Notification.ProcessID+" "+e.Notification.Attention)
		}
	}
	assert.Equal(t, []string{id}, ends)
	assert.Equal(t, []string{id + " context"}, told)
}

// Of fifty megabytes for a process that does not read, the answer is how much was taken, and soon: a process beside it
// is written to meanwhile.
func TestWriteToOneThatDoesNotRead(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `
process "deaf" { command = "exec sleep 1000" }
process "hears" { command = "exec cat" }
`)
	r.wait(0, "it runs", started("deaf"))
	done := make(chan api.WriteOut, 1)
	go func() {
		out, err := s.Write(t.Context(), api.WriteIn{ID: "deaf", Input: strings.Repeat("x", 50<<20)})
		assert.NoError(t, err)
		done <- out
	}()
	_, err := s.Write(t.Context(), api.WriteIn{ID: "hears", Input: "said meanwhile\n"})
	require.NoError(t, err)
	r.wait(0, "the other", output("hears", "said meanwhile"))
	out := <-done
	assert.NotEmpty(t, out.Reason)
	assert.Less(t, out.Written, 1<<20)
	stopped, err := s.Stop(t.Context(), api.StopIn{ID: "deaf"})
	require.NoError(t, err)
	assert.Equal(t, int(syscall.SIGTERM), stopped.Info.Signal.Number)
}
