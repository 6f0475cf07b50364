package manager

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func TestParseStat(t *testing.T) {
	line := func(name, state string, threads int) []byte {
		return fmt.Appendf(nil, "4711 (%s) %s 1 22 33 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 %d 0 987654 0 0\n", name, state, threads)
	}
	for _, row := range []struct {
		name, state string
		threads     int
		dead        bool
	}{
		{"sleep", "S", 1, false},
		{"a) Z 5 (b", "R", 1, false},
		{"two words\n", "T", 3, false},
		{"sleep", "Z", 1, true},
		{"first thread ended", "Z", 2, false},
		{"", "X", 1, true},
	} {
		e, ok := parseStat(line(row.name, row.state, row.threads))
		assert.True(t, ok, "%+v", row)
		assert.Equal(t, entry{pid: 4711, ppid: 1, pgid: 22, sid: 33, started: 987654, dead: row.dead}, e, "%+v", row)
	}
	for _, bad := range []string{"", "4711", "4711 (x", "4711 (x) S 1 2", "x (x) S 1 22 33 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 9 0"} {
		_, ok := parseStat([]byte(bad))
		assert.False(t, ok, bad)
	}
	self, err := readEntry(os.Getpid())
	require.NoError(t, err)
	assert.Equal(t, os.Getppid(), self.ppid)
}

func TestEnvironmentBounds(t *testing.T) {
	stat, err := os.ReadFile("/proc/self/stat")
	require.NoError(t, err)
	begin, end, known := environmentBounds(stat)
	assert.True(t, known)
	assert.Less(t, begin, end)
	_, _, known = environmentBounds([]byte("1 (x) S 1"))
	assert.False(t, known, "a system that does not say")
}

func TestEnvironmentIsEmptyIfItStaysSo(t *testing.T) {
	r := newReaper()
	m := member{1, 2}
	assert.False(t, r.isBare(m, 4096))
	assert.False(t, r.isBare(m, 4096))
	assert.False(t, r.isBare(m, 8192), "another program")
	time.Sleep(bareTime)
	assert.False(t, r.isBare(m, 4096))
	time.Sleep(bareTime)
	assert.True(t, r.isBare(m, 4096))
	assert.False(t, r.isBare(member{1, 3}, 4096), "another process")
}

func TestVictim(t *testing.T) {
	for record, want := range map[string]int{
		"3,812,4711,-;Out of memory: Killed process 123 (name) total-vm:1kB\n SUBSYSTEM=x\n": 123,
		"3,812,4711,-;Memory cgroup out of memory: Killed process 9 (tail) total-vm:1kB":     9,
		"11,812,4711,-;Out of memory: Killed process 123 (feigned by a program) total-vm:1":  0,
		"3,812,4711,-;Out of memory: Killed process x (name)":                                0,
		"6,1,2,-;something else about Killed process 5 (a)":                                  0,
		"6,1,2,-;x\n Out of memory: Killed process 5 (a)":                                    0,
		"": 0,
	} {
		pid, is := victim([]byte(record))
		assert.Equal(t, want, pid, record)
		assert.Equal(t, want != 0, is, record)
	}
}

func TestKilledForWantOfMemory(t *testing.T) {
	group, limit := memoryGroup(t)
	require.NoError(t, os.WriteFile(filepath.Join(group, limit), []byte("33554432"), 0o644))
	h := openHost(t)
	id := h.start(h.sh("echo $$ >" + group + "/cgroup.procs; exec tail /dev/zero"))
	end := h.ended(id)
	assert.Equal(t, proc.EndedBySignal(syscall.SIGKILL, false), end.End)
	assert.True(t, end.OutOfMemory)

	other := h.start(h.argv("sleep", h.token))
	require.NoError(t, h.Signal(other, syscall.SIGKILL))
	assert.False(t, h.ended(other).OutOfMemory)
}

// memoryGroup makes a control group whose memory can be bounded.
func memoryGroup(t *testing.T) (group, limit string) {
	for _, kind := range [][2]string{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		group := filepath.Join(kind[0], fmt.Sprintf("manager-test-%d", os.Getpid()))
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { os.Remove(group) })
		if _, err := os.Stat(filepath.Join(group, kind[1])); err == nil {
			return group, kind[1]
		}
	}
	t.Skip("no control group for memory can be made here")
	return "", ""
}

func TestOrphansAreReaped(t *testing.T) {
	h := openHost(t)
	gate := newGate(t)
	id := h.start(h.sh("(setsid sleep 0.2 &); (sh -c 'setsid sleep 0.1 & exit' &); sleep 0.2 & read x <" + gate.path))
	info, _ := h.Info(id)
	for info.PID == 0 {
		info, _ = h.Info(id)
	}
	h.await("the orphans to be reaped", func() bool { return len(childrenOfOurs(t)) == 1 })
	gate.open()
	h.ended(id)
	h.await("the leader to be reaped", func() bool { return stateOf(info.PID) == 0 })
}

// TestOrphanThatAlwaysExecutes looks for one that has no environment again and again: while a program is being
// executed there is none. It may be unclear that it is there, but never clear that it is not.
func TestOrphanThatAlwaysExecutes(t *testing.T) {
	h := openHost(t)
	script := filepath.Join(t.TempDir(), "again")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec $0 "+h.token+"\n"), 0o755))
	c, err := h.system.start(proc.NewID(), h.sh("(setsid "+script+" >/dev/null 2>&1 </dev/null &)"), newOutput(nil), nil)
	require.NoError(t, err)
	<-c.over()
	sure := 0
	for range 150 {
		offspring.mu.Lock() // so that it is not just remembered
		clear(offspring.members)
		clear(offspring.sessions)
		offspring.mu.Unlock()
		found := c.survey()
		require.True(t, found.unsure || len(found.all()) == 1, "%+v", found)
		if !found.unsure {
			sure++
		}
	}
	assert.Positive(t, sure)
	for _, m := range c.survey().all() {
		c.signal(m, syscall.SIGKILL)
	}
	c.letGo(false)
	c.abandon()
}

// TestNothingIsLeftBehind runs many processes and counts what a host might lose.
func TestNothingIsLeftBehind(t *testing.T) {
	h := openHost(t)
	before := proctest.Descriptors()
	slots := make(chan struct{}, 8)
	for range 300 {
		slots <- struct{}{}
		id := h.start(h.argv("true"))
		go func() {
			end := h.ended(id)
			assert.Equal(t, proc.ExitedWith(0), end.End)
			events := h.eventsOf(id)
			assert.IsType(t, proc.Started{}, events[0])
			assert.Len(t, events, 2)
			<-slots
		}()
	}
	for range cap(slots) {
		slots <- struct{}{}
	}
	h.await("the descriptors to be closed", func() bool { return proctest.Descriptors() == before })
	h.await("the zombies to be reaped", func() bool { return len(childrenOfOurs(t)) == 0 })
}

// childrenOfOurs returns the children of this process, dead or alive.
func childrenOfOurs(t *testing.T) []entry {
	all, err := readTable()
	require.NoError(t, err)
	return slices.DeleteFunc(all, func(e entry) bool { return e.ppid != os.Getpid() })
}

// TestInnerHost kills a host below a host: what it had started is found by the outer marks.
func TestInnerHost(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.role("inner")
	spec.Env = append(spec.Env, "TOKEN="+h.token)
	id := h.running(spec)
	require.NoError(t, h.Signal(id, syscall.SIGKILL))
	end := h.ended(id)
	require.NotEmpty(t, end.Leftovers)
	assert.Contains(t, end.Leftovers[0].Command, h.token)
	h.await("the end of what the inner host left", func() bool { return len(processesWith(h.token)) == 0 })
}

func hostBelowAHost() {
	m, err := New(Options{Events: func(e proc.Event) {
		if _, is := e.(proc.Started); is {
			fmt.Println("ready")
		}
	}})
	if err != nil {
		panic(err)
	}
	null := proc.Spec{Name: "inner", Argv: []string{"/bin/sleep", os.Getenv("TOKEN")}, Dir: "/", Env: os.Environ(), Stdin: proc.StdinNull}
	if err := m.Start(proc.NewID(), null, nil); err != nil {
		panic(err)
	}
	select {}
}

// TestAsAnOrdinaryUser runs once more, as an ordinary user, the tests in which the system treats one otherwise than
// root. A soak runs them all.
func TestAsAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("the other tests have run as one")
	}
	tests := "LeftTheSession|Leftovers|StopIsOver|Escalates|LateDeath|Reaped|LastWords|ToClosedInput|SpawnFailure|SaysItsReason|ReusedNumber|UsedUp"
	if os.Getenv("PROCHOST_SOAK") != "" {
		tests = "."
	}
	proctest.Stage{Ordinary: true}.Tests(t, tests, "Table")
}

func TestCloseEndsEverything(t *testing.T) {
	h := openHost(t)
	for i := range 40 {
		script := "$nap"
		if i%10 == 0 {
			script = "trap '' TERM; (setsid sh -c \"trap '' TERM; exec $nap\" &); $nap"
		}
		spec := h.sh("echo ready; " + script)
		spec.Stop.Grace = 200e6
		h.running(spec)
	}
	require.NoError(t, h.Close(t.Context()))
	h.nothingSurvives()
	for _, info := range h.List() {
		end := h.ended(info.ID)
		require.NotNil(t, end.Stop)
		assert.Equal(t, proc.ByShutdown, end.Stop.By)
	}
}
