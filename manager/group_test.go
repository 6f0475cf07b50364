package manager

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestEndIsWhatWaitSays(t *testing.T) { // while a grandchild holds the pipe
	h := openHost(t)
	id := h.start(h.sh("$nap & echo started; exit 7"))
	end := h.ended(id)
	assert.Equal(t, proc.ExitedWith(7), end.End)
	assert.Equal(t, "started\n", h.observer(id).text(proc.Stdout))
	require.Len(t, end.Leftovers, 1)
	assert.Contains(t, end.Leftovers[0].Command, "sleep "+h.token)
	h.await("the end of the leftovers", func() bool { return !alive(end.Leftovers[0].PID) })
}

func TestLeftoversThatIgnoreTermAreKilled(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.start(h.sh("(trap '' TERM; echo ready; exec $nap) & exit 0"))
	end := h.ended(id)
	require.Len(t, end.Leftovers, 1)
	leader := stateOf(end.Info.PID)
	if alive(end.Leftovers[0].PID) {
		assert.Equal(t, "Z", string(leader), "the number of a leader is kept while others of its group live")
	}
	h.await("the end of the leftovers", func() bool { return !alive(end.Leftovers[0].PID) })
	h.await("the leader's number to be given back", func() bool { return stateOf(end.Info.PID) == 0 })
	_, err := h.Stop(t.Context(), id, proc.StopRequest{})
	assert.ErrorIs(t, err, ErrEnded)
}

func TestLeftoversAreKept(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	first, second := newGate(t), newGate(t)
	spec := h.sh("(echo ready; read x <" + second.path + "; echo late; exec $nap) & read x <" + first.path + "; exit 0")
	spec.Leftovers = proc.KeepLeftovers
	id := h.running(spec)
	first.open()
	end := h.ended(id)
	require.Len(t, end.Leftovers, 1)
	second.open()
	h.await("what leftovers write in the log", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "late") })
	assert.Equal(t, "ready\n", h.observer(id).text(proc.Stdout), "nothing is observed after the end")
	assert.True(t, alive(end.Leftovers[0].PID))
	require.NoError(t, h.Close(t.Context()))
	assert.True(t, alive(end.Leftovers[0].PID), "close leaves alone what is to be kept")
	require.NoError(t, syscall.Kill(end.Leftovers[0].PID, syscall.SIGKILL))
	syscall.Wait4(end.Leftovers[0].PID, nil, 0, nil)
}

func TestStopIsOverWhenTheGroupIsEmpty(t *testing.T) { // not when the leader is gone
	t.Parallel()
	h := openHost(t)
	spec := h.role("leaver")
	spec.Env = append(spec.Env, "TOKEN="+h.token)
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: 300 * time.Millisecond}})
	assert.True(t, r.OK)
	h.nothingSurvives()
	end := h.ended(id)
	assert.Equal(t, proc.ExitedWith(3), end.End)
	assert.Equal(t, proc.Exited, end.Info.Status)
	require.NotNil(t, end.Stop)
	assert.Equal(t, 300*time.Millisecond, end.Stop.Spec.Grace)
	assert.Equal(t, syscall.SIGTERM, end.Stop.Spec.Signal)
}

func TestThoseWhoLeftTheSessionAreEnded(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"setsid":                 "setsid sh -c 'echo ready; exec $nap' & $nap",
		"double fork":            "(setsid sh -c 'echo ready; exec $nap' &) ; $nap",
		"without marks":          "(setsid env -i sh -c 'echo ready; exec $nap' &) ; $nap",
		"without pipes":          "(setsid sh -c 'echo ready; exec $nap >/dev/null 2>&1 </dev/null' &) ; $nap",
		"without, below a shell": "(setsid env -i sh -c 'echo ready; (sh -c \"echo; $nap\"; :) >/dev/null 2>&1 & wait' &) ; $nap",
		"ignores TERM":           "(setsid sh -c \"trap '' TERM; echo ready; exec $nap\" &) ; $nap",
	} {
		t.Run("stop/"+name, func(t *testing.T) {
			t.Parallel()
			h := openHost(t)
			id := h.running(h.sh(script))
			r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: 300 * time.Millisecond}})
			assert.True(t, r.OK)
			assert.Empty(t, r.Escaped)
			h.nothingSurvives()
		})
		t.Run("force/"+name, func(t *testing.T) {
			t.Parallel()
			h := openHost(t)
			id := h.running(h.sh(script))
			assert.True(t, h.stop(id, proc.StopRequest{Force: true}).OK)
			h.nothingSurvives()
		})
		t.Run("end/"+name, func(t *testing.T) {
			t.Parallel()
			h := openHost(t)
			gate := newGate(t)
			id := h.running(h.sh(strings.TrimSuffix(script, "$nap") + " read x <" + gate.path))
			gate.open()
			end := h.ended(id)
			assert.NotEmpty(t, end.Leftovers)
			h.await("the end of the leftovers", func() bool { return len(processesWith(h.token)) == 0 })
		})
	}
}

// TestThoseWhoLeftTheSessionAreAsked: they can end in their own way, as those of the group can, also if they stand
// still.
func TestThoseWhoLeftTheSessionAreAsked(t *testing.T) {
	t.Parallel()
	const stray = `setsid sh -c 'trap "echo asked; exit" TERM; echo ready; kill -STOP $$; while :; do sleep 0.01; done' &`
	t.Run("by a stop", func(t *testing.T) {
		t.Parallel()
		h := openHost(t)
		id := h.running(h.sh(stray + " exec $nap"))
		r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: patience}})
		assert.True(t, r.OK)
		assert.Contains(t, h.log(id).text(proc.Stdout), "asked")
	})
	t.Run("after the end", func(t *testing.T) {
		t.Parallel()
		h := openHost(t)
		gate := newGate(t)
		id := h.running(h.sh(stray + " read x <" + gate.path))
		gate.open()
		assert.NotEmpty(t, h.ended(id).Leftovers)
		h.await("its answer", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "asked") })
	})
}

func TestStopEscalates(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.sh("trap '' TERM; echo ready; while :; do sleep 0.01; done")
	spec.Stop.Grace = 200 * time.Millisecond
	id := h.running(spec)
	r := h.stop(id, proc.StopRequest{})
	assert.True(t, r.OK)
	assert.Equal(t, proc.EndedBySignal(syscall.SIGKILL, true), r.Info.End)
	assert.Equal(t, proc.Killed, r.Info.Status)
}

func TestStopThatOnlySignalsTimesOut(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.running(h.sh("trap '' TERM; trap 'exit 0' USR1; echo ready; while :; do sleep 0.01; done"))
	once := proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Grace: 100 * time.Millisecond}}

	r := h.stop(id, once)
	assert.False(t, r.OK)
	assert.Equal(t, ReasonTimeout, r.Reason)
	require.NotEmpty(t, r.Survivors)
	assert.Equal(t, r.Info.PID, r.Survivors[0].PID)
	assert.Equal(t, proc.TerminateTimeout, r.Info.Status)
	assert.Equal(t, "kill_timeout", r.Info.EndReason())

	t.Run("a second stop succeeds", func(t *testing.T) {
		r := h.stop(id, proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Signal: syscall.SIGKILL, Grace: patience}})
		assert.True(t, r.OK)
		assert.Equal(t, proc.Killed, r.Info.Status)
		assert.Equal(t, "signal", h.ended(id).Info.EndReason())
	})
}

func TestLateDeathIsSilent(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.running(h.sh("trap '' TERM; trap 'exit 0' USR1; echo ready; while :; do sleep 0.01; done"))
	r := h.stop(id, proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Grace: 100 * time.Millisecond}})
	assert.False(t, r.OK)
	require.NoError(t, h.Signal(id, syscall.SIGUSR1))
	h.await("the late death", func() bool { info, _ := h.Info(id); return !info.Status.Live() })
	info, _ := h.Info(id)
	assert.Equal(t, proc.Killed, info.Status)
	assert.Equal(t, "kill_timeout", info.EndReason())
	events := h.eventsOf(id)
	assert.IsType(t, proc.Changed{}, events[len(events)-1])
	_, err := h.Stop(t.Context(), id, proc.StopRequest{})
	assert.ErrorIs(t, err, ErrEnded)
	assert.Zero(t, countEnds(h.eventsOf(id)))
}

func TestStoppedProcessRunsItsHandler(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.running(h.role("handler"))
	require.NoError(t, h.Signal(id, syscall.SIGSTOP))
	info, _ := h.Info(id)
	h.await("the process to stop", func() bool { return stateOf(info.PID) == 'T' })
	r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: patience}})
	assert.Equal(t, proc.ExitedWith(5), r.Info.End)
	assert.Contains(t, h.observer(id).text(proc.Stdout), "handled")
}

// childThatLeaves obeys, and leaves one of its group behind that does not.
func childThatLeaves() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	other := exec.Command("sh", "-c", "trap '' TERM; echo ready; exec sleep "+os.Getenv("TOKEN"))
	other.Stdout = os.Stdout
	if err := other.Start(); err != nil {
		panic(err)
	}
	<-term
	os.Exit(3)
}

// childWithHandler ends in an orderly way. A shell would lose a signal that comes right before its wait.
func childWithHandler() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	fmt.Println("ready")
	<-term
	fmt.Println("handled")
	os.Exit(5)
}

func TestTwentyStopsGetOneAnswer(t *testing.T) { // while the process ends by itself
	for range 20 {
		h := openHost(t)
		id := h.running(h.sh("echo ready; sleep 0.01; exit 4"))
		results, errs := make([]StopResult, 20), make([]error, 20)
		var asked sync.WaitGroup
		for i := range results {
			asked.Go(func() { results[i], errs[i] = h.Stop(t.Context(), id, proc.StopRequest{}) })
		}
		asked.Wait()
		for i := range results {
			assert.Equal(t, results[0], results[i])
			assert.Equal(t, errs[0], errs[i])
			assert.True(t, results[i].OK)
		}
		late, err := h.Stop(t.Context(), id, proc.StopRequest{})
		assert.Equal(t, results[0], late)
		assert.Equal(t, errs[0], err)
		end := h.ended(id)
		assert.Equal(t, errs[0] == nil, end.Stop != nil)
		assert.Equal(t, 1, countEnds(h.eventsOf(id)))
	}
}

func countEnds(es []proc.Event) int {
	n := 0
	for _, e := range es {
		if _, is := e.(proc.Ended); is {
			n++
		}
	}
	return n
}

func stateOf(pid int) byte {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	return b[strings.LastIndexByte(string(b), ')')+2]
}

func alive(pid int) bool { s := stateOf(pid); return s != 0 && s != 'Z' && s != 'X' }
