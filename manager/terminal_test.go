package manager

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// tty is sh, on a terminal.
func (h *host) tty(script string) proc.Spec {
	s := h.sh(script)
	s.PTY = true
	return s
}

// says waits until id has written text.
func (h *host) says(id proc.ID, text string) {
	h.t.Helper()
	h.await(fmt.Sprintf("%q", text), func() bool { return strings.Contains(h.log(id).text(proc.Stdout), text) })
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.start(h.tty(`test -t 0 && test -t 1 && test -t 2 && stty size && echo aside >&2 && echo >/dev/tty "its own"; ls /proc/self/fd | tr '\n' ' '`))
	end := h.ended(id)
	assert.Equal(t, proc.ExitedWith(0), end.End)
	assert.True(t, end.Info.PTY)
	assert.Equal(t, "24 80\r\naside\r\nits own\r\n0 1 2 3 ", h.observer(id).text(proc.Stdout), "3 is the directory that ls reads")
	assert.Empty(t, h.log(id).text(proc.Stderr), "there is one stream")
}

func TestTerminalWithoutInput(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.tty("test -t 1 && ! test -t 0 && cat && echo >/dev/tty mine; echo ready; $nap")
	spec.Stdin, spec.Window = proc.StdinNull, proc.Window{Rows: 50, Cols: 200}
	id := h.running(spec)
	_, err := h.Write(t.Context(), id, []byte("x"), false)
	assert.ErrorIs(t, err, ErrStdinClosed)
	h.stop(id, proc.StopRequest{})
	assert.Equal(t, "mine\r\nready\r\n", h.log(id).text(proc.Stdout))
}

func TestTerminalIsResized(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.tty("trap 'stty size' WINCH; stty size; echo ready; while :; do sleep 0.01; done")
	spec.Window = proc.Window{Rows: 10, Cols: 20}
	id := h.running(spec)
	assert.NoError(t, h.Resize(id, 40, 132))
	h.says(id, "40 132\r\n")
	assert.True(t, strings.HasPrefix(h.log(id).text(proc.Stdout), "10 20\r\n"))
	assert.ErrorContains(t, h.Resize(id, 0, 80), "no window")
	assert.ErrorIs(t, h.Resize("proc_none", 24, 80), ErrNotFound)
	h.stop(id, proc.StopRequest{})
	assert.ErrorIs(t, h.Resize(id, 24, 80), ErrEnded)
	assert.ErrorIs(t, h.Resize(h.running(h.sh("echo ready; $nap")), 24, 80), ErrNoTerminal)
}

func TestResizeWaitsForTheSpawn(t *testing.T) {
	bubble(t, "resize", func(t *testing.T, h *fakeHost) {
		spawned := make(chan struct{})
		h.sys.begin = func(proc.Spec, *fakeChild) error { <-spawned; return nil }
		id := h.start("a")
		answered := make(chan error, 1)
		go func() { answered <- h.Resize(id, 5, 6) }()
		synctest.Wait()
		assert.Empty(t, answered)
		close(spawned)
		assert.NoError(t, <-answered)
		assert.Equal(t, []string{"0s resize 5×6"}, h.sys.child("a").notes())
	})
}

// TestTerminalGivesEverything holds that what is written right before the end arrives, also more than a terminal
// holds at a time, and also while others of the process keep it open.
func TestTerminalGivesEverything(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	var fifty, many strings.Builder
	for i := 1; i <= 20000; i++ {
		fmt.Fprintf(&many, "%d\r\n", i)
		if i == 50 {
			fifty.WriteString(many.String())
		}
	}
	ids := map[proc.ID]string{
		h.start(h.tty("seq 1 20000")):                many.String(),
		h.start(h.tty("$nap & seq 1 20000; exit 3")): many.String(),
	}
	for range 30 {
		ids[h.start(h.tty("seq 1 50"))] = fifty.String()
		ids[h.start(h.tty("$nap & seq 1 50; printf 'last words'"))] = fifty.String() + "last words"
	}
	for id, want := range ids {
		h.ended(id)
		got := h.observer(id).text(proc.Stdout)
		assert.Equal(t, len(want), len(got))
		assert.True(t, want == got)
	}
}

func TestTerminalThatIsClosedAndOpenedAnew(t *testing.T) { // nobody hangs up on its leader
	t.Parallel()
	h := openHost(t)
	first, second := newGate(t), newGate(t)
	id := h.running(h.tty("echo ready; exec <&- >&- 2>&-; read x <" + first.path + "; echo back >/dev/tty; read x <" + second.path + "; exit 7"))
	info, _ := h.Info(id)
	h.await("it to close its streams", func() bool { return !strings.Contains(strings.Join(fdsOf(info.PID), " "), "/dev/pts") })
	first.open()
	h.says(id, "back\r\n")
	second.open()
	assert.Equal(t, proc.ExitedWith(7), h.ended(id).End)
}

// bareTerminal is a terminal without a process: our end, and the one that a process would have.
func bareTerminal(t *testing.T, obs proc.Observer) (ours *terminal, theirs *os.File) {
	var l launched
	fds, err := l.openTerminal(proc.StdinPipe, proc.DefaultWindow)
	require.NoError(t, err)
	for _, fd := range fds[1:] {
		syscall.Close(fd)
	}
	theirs = os.NewFile(uintptr(fds[0]), "theirs")
	t.Cleanup(func() { l.closePipes(); theirs.Close() })
	return newTerminal(l.terminal, newOutput(obs), func() {}), theirs
}

func TestTerminalThatNobodyHasIsWaitedFor(t *testing.T) { // and not asked over and over
	tty, theirs := bareTerminal(t, nil)
	theirs.Close()
	tries := 0
	tty.file.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	err := tty.conn.Read(func(fd uintptr) bool {
		tries++
		done, _ := tty.take(int(fd))
		return done
	})
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	assert.Less(t, tries, 5)
	tty.listen(seat{})
	tty.drain()
	tty.running.Wait() // since the leader is gone
}

func TestTerminalIsDrained(t *testing.T) { // of more than the system says that there is
	var seen testObserver
	tty, theirs := bareTerminal(t, &seen)
	held := strings.Repeat("x", 6000)
	_, err := theirs.WriteString(held)
	require.NoError(t, err)
	tty.drain()
	assert.Equal(t, len(held), len(seen.text(proc.Stdout)))
}

// refill writes another block whenever one is read.
type refill struct {
	to   *os.File
	seen int
}

func (r *refill) Output(_ proc.Stream, p []byte) {
	r.seen += len(p)
	r.to.Write(p)
}

func (r *refill) Flush() {}

func TestTerminalThatIsNeverDry(t *testing.T) { // is drained all the same
	again := &refill{}
	tty, theirs := bareTerminal(t, again)
	again.to = theirs
	_, err := theirs.WriteString(strings.Repeat("x", 1000))
	require.NoError(t, err)
	tty.drain()
	assert.GreaterOrEqual(t, again.seen, terminalHolds)
}

func fdsOf(pid int) (links []string) {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	for _, e := range entries {
		link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, e.Name()))
		links = append(links, link)
	}
	return links
}

func TestTypeAndEnd(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	type input struct {
		text string
		end  bool
	}
	for name, row := range map[string]struct {
		inputs []input
		want   string
	}{
		"lines":             {[]input{{"one\n", false}, {"two\n", true}}, "one\r\none\r\ntwo\r\ntwo\r\nover\r\n"},
		"nothing":           {[]input{{"", true}}, "over\r\n"},
		"within a line":     {[]input{{"abc", true}}, "abcabcover\r\n"},
		"end within a line": {[]input{{"abc", false}, {"", true}}, "abcabcover\r\n"},
		"a carriage return": {[]input{{"abc\r", true}}, "abc\r\nabc\r\nover\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			// The echo comes from the terminal and precedes what is read: wait for it, so that there is one order.
			id := h.running(h.tty("echo ready; cat; echo over; cat >/dev/null; exit 3"))
			said := "ready\r\n"
			for _, in := range row.inputs {
				n, err := h.Write(t.Context(), id, []byte(in.text), in.end)
				assert.NoError(t, err)
				assert.Equal(t, len(in.text), n)
			}
			h.says(id, "over\r\n")
			assert.Equal(t, len(said+row.want), len(h.log(id).text(proc.Stdout)), "%q", h.log(id).text(proc.Stdout))
			n, err := h.Write(t.Context(), id, []byte("more\n"), true)
			assert.NoError(t, err, "who reads next can be typed to")
			assert.Equal(t, 5, n)
			assert.Equal(t, proc.ExitedWith(3), h.ended(id).End)
			_, err = h.Write(t.Context(), id, []byte("x"), false)
			assert.ErrorIs(t, err, ErrEnded)
		})
	}
}

func TestTypedInterrupt(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.running(h.tty("trap 'echo caught; exit 4' INT; echo ready; while :; do sleep 0.01; done"))
	_, err := h.Write(t.Context(), id, []byte{3}, false)
	require.NoError(t, err)
	end := h.ended(id)
	assert.Equal(t, proc.ExitedWith(4), end.End)
	assert.Nil(t, end.Stop, "it is no stop")
}

func TestTypeToWhomDoesNotRead(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	id := h.running(h.tty("echo ready; $nap"))
	flood := bytes.Repeat([]byte("a line that nobody reads\n"), 1<<16)
	n, err := h.Write(t.Context(), id, flood, true)
	assert.ErrorIs(t, err, ErrStdinFull)
	assert.Less(t, n, len(flood))
	assert.True(t, h.stop(id, proc.StopRequest{}).OK)
}

func TestInteractiveShell(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.argv("/bin/sh", "-i")
	spec.PTY, spec.Stop.Signal = true, syscall.SIGHUP
	spec.Env = append(spec.Env, "PS1=prompt: ")
	id := h.start(spec)
	h.says(id, "prompt: ")
	_, err := h.Write(t.Context(), id, []byte("sleep "+h.token+" & jobs; echo $((6*7))\n"), false)
	require.NoError(t, err)
	h.says(id, "42\r\n")
	assert.NotContains(t, h.log(id).text(proc.Stdout), "job control turned off")
	r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: patience}})
	assert.True(t, r.OK, "also its job, in a group of its own")
	h.nothingSurvives()
}

func TestStopOfATerminal(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		script string
		want   proc.End
	}{
		"obeys":                    {"trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done", proc.ExitedWith(3)},
		"ignores":                  {"trap '' TERM HUP; echo ready; while :; do sleep 0.01; done", proc.EndedBySignal(syscall.SIGKILL, true)},
		"leaves one of its group":  {"trap 'exit 3' TERM; (trap '' TERM HUP; echo ready; exec $nap) & while :; do wait; done", proc.ExitedWith(3)},
		"leaves one of no session": {"trap 'exit 3' TERM; setsid sh -c 'echo ready; exec $nap' & while :; do wait; done", proc.ExitedWith(3)},
		"leaves one without marks": {"trap 'exit 3' TERM; (setsid env -i sh -c 'echo ready; exec $nap' &); while :; do sleep 0.01; done", proc.ExitedWith(3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHost(t)
			id := h.running(h.tty(row.script))
			r := h.stop(id, proc.StopRequest{Spec: proc.StopSpec{Grace: 300 * time.Millisecond}})
			assert.True(t, r.OK)
			assert.Empty(t, r.Escaped)
			assert.Equal(t, row.want, r.Info.End)
			h.nothingSurvives()
			end := h.ended(id)
			require.NotNil(t, end.Stop)
			assert.Equal(t, 1, countEnds(h.eventsOf(id)))
			if name == "obeys" {
				assert.Contains(t, h.observer(id).text(proc.Stdout), "bye\r\n")
			}
		})
	}
}

func TestLeftoversOfATerminal(t *testing.T) {
	t.Parallel()
	t.Run("are ended", func(t *testing.T) {
		t.Parallel()
		h := openHost(t)
		id := h.start(h.tty("trap '' HUP; $nap & echo started; exit 7"))
		end := h.ended(id)
		assert.Equal(t, proc.ExitedWith(7), end.End)
		assert.Equal(t, "started\r\n", h.observer(id).text(proc.Stdout))
		require.Len(t, end.Leftovers, 1)
		h.await("their end", func() bool { return !alive(end.Leftovers[0].PID) })
	})
	t.Run("are kept", func(t *testing.T) {
		t.Parallel()
		h := openHost(t)
		first, second := newGate(t), newGate(t)
		spec := h.tty("trap '' HUP; (echo ready; read x <" + second.path + "; echo late; exec $nap) & read x <" + first.path + "; exit 0")
		spec.Leftovers = proc.KeepLeftovers
		id := h.running(spec)
		first.open()
		end := h.ended(id)
		require.Len(t, end.Leftovers, 1)
		second.open()
		h.says(id, "late\r\n")
		assert.Equal(t, "ready\r\n", h.observer(id).text(proc.Stdout), "nothing is observed after the end")
		require.NoError(t, h.Close(t.Context()))
		assert.True(t, alive(end.Leftovers[0].PID), "close leaves alone what is to be kept")
		require.NoError(t, syscall.Kill(end.Leftovers[0].PID, syscall.SIGKILL))
		syscall.Wait4(end.Leftovers[0].PID, nil, 0, nil)
	})
	t.Run("that write all the time", func(t *testing.T) { // do not hold up the end
		t.Parallel()
		h := openHost(t)
		spec := h.tty("trap '' HUP; yes & echo ready; exit 7")
		id := h.start(spec)
		assert.Equal(t, proc.ExitedWith(7), h.ended(id).End)
		h.await("their end", func() bool { return len(processesWith(h.token)) == 0 })
	})
}

func TestStopCommandOfATerminal(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.tty("trap 'exit 4' USR1; echo ready; while :; do sleep 0.01; done")
	spec.Stop = proc.StopSpec{Grace: patience, Command: []string{"/bin/sh", "-c", "test -t 1 || echo asking; kill -USR1 $PROCHOST_PID"}}
	id := h.running(spec)
	assert.Equal(t, proc.ExitedWith(4), h.stop(id, proc.StopRequest{By: proc.ByShutdown}).Info.End)
	assert.Equal(t, "ready\r\nasking\n", h.log(id).text(proc.Stdout))
}
