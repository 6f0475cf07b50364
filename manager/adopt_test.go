package manager

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

// foreigner is a process whose parent is another program than this one.
type foreigner struct {
	Adoption
	t      *testing.T
	parent *exec.Cmd
	said   *bufio.Reader // what the parent says after its pid
	script string
}

// Parents of foreigners: scripts that start "$1", say its pid, and go on.
const (
	leadsSession = `setsid sh -c "$1" <&3 >&4 2>&5 3<&- 4>&- 5>&- & `
	leadsNothing = `sh -c "$1" <&3 >&4 2>&5 3<&- 4>&- 5>&- & `
	thenReaps    = `echo $!; exec 3<&- 4>&- 5>&-; wait $!; echo code $?; exec sleep 60`
	thenIgnores  = `echo $!; exec 3<&- 4>&- 5>&-; exec sleep 60`
	thenLeaves   = `echo $!`
)

// foreign has script run by a parent of another program, and returns what an adopter is handed.
func foreign(t *testing.T, h *host, parent, script string) *foreigner {
	t.Helper()
	inR, inW, err := os.Pipe()
	require.NoError(t, err)
	outR, outW, err := os.Pipe()
	require.NoError(t, err)
	errR, errW, err := os.Pipe()
	require.NoError(t, err)
	spec := h.sh(script)
	cmd := exec.Command("/bin/sh", "-c", parent, "sh", spec.Command)
	cmd.Env, cmd.ExtraFiles = spec.Env, []*os.File{inR, outW, errW}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}
	f := &foreigner{t: t, parent: cmd, said: bufio.NewReader(said), script: spec.Command}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		syscall.Wait4(f.Identity.PID, nil, syscall.WNOHANG, nil) // whom the parent has not reaped
	})
	pid, err := strconv.Atoi(f.says())
	require.NoError(t, err)
	f.Identity, err = IdentityOf(pid)
	require.NoError(t, err)
	f.Spec = proc.Spec{Name: "foreign", Command: spec.Command, Dir: "/"}
	f.Stdin, f.Output = inW, [...]*os.File{outR, errR}
	return f
}

// says returns the next line that the parent says.
func (f *foreigner) says() string {
	f.t.Helper()
	line, err := f.said.ReadString('\n')
	require.NoError(f.t, err)
	return strings.TrimSpace(line)
}

// adopt adopts it under a new id.
func (h *host) adopt(a Adoption) proc.ID {
	h.t.Helper()
	id := proc.NewID()
	obs := &testObserver{}
	h.mu.Lock()
	h.seen[id] = obs
	h.mu.Unlock()
	require.NoError(h.t, h.Adopt(id, a, obs))
	return id
}

// words are the events of id, in words.
func (h *host) words(id proc.ID) []string {
	var words []string
	for _, e := range h.eventsOf(id) {
		switch e := e.(type) {
		case proc.Started:
			words = append(words, fmt.Sprintf("started adopted=%t", e.Adopted))
		case proc.Changed:
			words = append(words, e.Info.Status.String())
		case proc.Ended:
			words = append(words, "ended "+showEnd(e.End))
		}
	}
	return words
}

func TestAdoptedLikeStarted(t *testing.T) {
	t.Parallel()
	for _, parent := range []string{leadsSession + thenIgnores, leadsSession + thenLeaves, leadsNothing + thenIgnores} {
		h := openHost(t)
		f := foreign(t, h, parent, "echo ready; read x; echo got $x; echo bad >&2; exit 7")
		f.Prior[proc.Stdout] = []byte("before\n")
		f.Started = time.Now().Add(-time.Hour).Round(0)
		id := h.adopt(f.Adoption)
		h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
		info, _ := h.Info(id)
		assert.Equal(t, f.Identity, proc.Identity{PID: info.PID, Born: info.Born, Boot: f.Identity.Boot})
		assert.Equal(t, f.Started, info.Started)
		assert.Equal(t, proc.Running, info.Status)
		n, err := h.Write(t.Context(), id, []byte("word\n"), true)
		require.NoError(t, err)
		assert.Equal(t, 5, n)
		assert.Equal(t, proc.ExitedWith(7), h.ended(id).End)
		assert.Equal(t, "before\nready\ngot word\n", h.log(id).text(proc.Stdout))
		assert.Equal(t, "before\nready\ngot word\n", h.observer(id).text(proc.Stdout))
		assert.Equal(t, "bad\n", h.observer(id).text(proc.Stderr))
		assert.Equal(t, []string{"started adopted=true", "ended exit 7"}, h.words(id))
		_, err = h.Stop(t.Context(), id, proc.StopRequest{})
		assert.ErrorIs(t, err, ErrEnded)
	}
}

func TestAdoptedIsKilledFromOutside(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsSession+thenIgnores, "echo ready; $nap")
	id := h.adopt(f.Adoption)
	h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
	require.NoError(t, h.Signal(id, syscall.SIGUSR1))
	end := h.ended(id)
	assert.Equal(t, proc.EndedBySignal(syscall.SIGUSR1, false), end.End)
	assert.Nil(t, end.Stop)
}

// The shell's child is in the shell's group, and so is a descendant that has left the session.
func TestStopOfAnAdopted(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsSession+thenIgnores, "trap 'exit 5' TERM; $nap & setsid $nap & echo ready; wait")
	id := h.adopt(f.Adoption)
	h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
	r := h.stop(id, proc.StopRequest{By: proc.ByReload})
	assert.True(t, r.OK)
	assert.Equal(t, proc.ExitedWith(5), r.Info.End)
	assert.Equal(t, proc.ByReload, h.ended(id).Stop.By)
	assert.Empty(t, f.others(), "of its descent")
}

// others are the processes of the test beside the parent and a zombie that this has.
func (f *foreigner) others() []proctest.Survivor {
	var others []proctest.Survivor
	for _, s := range processesWith(strings.TrimPrefix(f.parent.Env[len(f.parent.Env)-1], tokenVar+"=")) {
		if s.PID != f.parent.Process.Pid {
			others = append(others, s)
		}
	}
	return others
}

func TestLeftoversOfAnAdopted(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsSession+thenReaps, "$nap & trap '' TERM; (setsid $nap &) ; echo ready; read x; exit 3")
	id := h.adopt(f.Adoption)
	h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
	h.write(id, "\n")
	assert.Equal(t, "code 3", f.says())
	assert.NotEmpty(t, h.ended(id).Leftovers)
	h.await("nobody", func() bool { return len(f.others()) == 0 })
}

func (h *host) write(id proc.ID, text string) {
	h.t.Helper()
	_, err := h.Write(h.t.Context(), id, []byte(text), false)
	require.NoError(h.t, err)
}

// One that leads no group shares that of others, who are not signalled with it.
func TestStopLeavesTheGroupOfOthers(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsNothing+thenReaps, "$nap & echo ready; wait")
	id := h.adopt(f.Adoption)
	h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
	assert.True(t, h.stop(id, proc.StopRequest{}).OK)
	assert.Equal(t, "code 143", f.says(), "the parent lives")
	assert.Empty(t, f.others())
}

func TestAdoptRefuses(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsSession+thenIgnores, "read x; exit 4")
	self, err := IdentityOf(os.Getpid())
	require.NoError(t, err)
	parent, err := IdentityOf(os.Getppid())
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	for _, tt := range []struct {
		name   string
		change func(*Adoption)
		want   string
	}{
		{"of another beginning", func(a *Adoption) { a.Identity.Born++ }, "nobody has that number who began then"},
		{"of another boot", func(a *Adoption) { a.Identity.Boot = "other" }, "nobody has that number who began then"},
		{"of nobody's number", func(a *Adoption) { a.Identity.PID = 1 << 30 }, "nobody has that number who began then"},
		{"the host", func(a *Adoption) { a.Identity = self }, "it is above this program, whose end it would be"},
		{"whoever started the host", func(a *Adoption) { a.Identity = parent }, "it is above this program, whose end it would be"},
		{"one that has not ended", func(a *Adoption) { a.Told = &proc.Info{} }, "its end has been told, and it lives"},
		{"a file as a pipe", func(a *Adoption) { a.Output[proc.Stderr] = file }, "it is neither a pipe nor a socket nor a terminal"},
		{"a pipe as a file", func(a *Adoption) { a.Follow[proc.Stdout] = Followed{Path: newGate(t).path} }, "it is no regular file"},
		{"no file", func(a *Adoption) { a.Follow[proc.Stdout] = Followed{Path: "/nowhere"} }, "no such file"},
		{"nothing that runs", func(a *Adoption) { a.Spec.Command = "" }, "neither command nor argv is set"},
	} {
		a := f.Adoption
		tt.change(&a)
		assert.ErrorContains(t, h.Adopt(proc.NewID(), a, nil), tt.want, tt.name)
	}
	assert.ErrorIs(t, h.ReportEnd("proc_x", proc.ExitedWith(0)), ErrNotFound)

	id := h.adopt(f.Adoption) // all that it needs is still open
	f.Stdin, f.Output = nil, [proc.NumStreams]*os.File{}
	assert.ErrorIs(t, h.Adopt(id, f.Adoption, nil), ErrInUse)
	assert.ErrorIs(t, h.Adopt(proc.NewID(), f.Adoption, nil), ErrInUse)
	h.write(id, "\n")
	assert.Equal(t, proc.ExitedWith(4), h.ended(id).End)
	assert.ErrorIs(t, h.ReportEnd(id, proc.ExitedWith(0)), ErrEnded)

	own := h.running(h.sh("echo ready; $nap"))
	info, _ := h.Info(own)
	assert.Equal(t, info.Born, bornAt(info.PID))
	f.Identity = proc.Identity{PID: info.PID, Born: info.Born, Boot: f.Identity.Boot}
	assert.ErrorIs(t, h.Adopt(proc.NewID(), f.Adoption, nil), ErrInUse)
	assert.ErrorIs(t, h.ReportEnd(own, proc.ExitedWith(0)), ErrNotAdopted)
}

// A process may have ended while nobody was there: what the pipes still hold precedes its end.
func TestAdoptedAfterItsEnd(t *testing.T) {
	h := openHost(t)
	over := func(parent string) *foreigner {
		f := foreign(t, h, parent, "echo last words; read x; exit 9")
		_, err := f.Stdin.WriteString("\n")
		require.NoError(t, err)
		waitUntil(t, func() bool { return !member{f.Identity.PID, f.Identity.Born}.lives() })
		return f
	}
	lost := proc.Vanished(false)
	reported := proc.ExitedWith(9)
	asked := proc.StopRequest{By: proc.ByShutdown, Spec: proc.StopSpec{Signal: syscall.SIGINT}}
	for _, tt := range []struct {
		name   string
		parent string
		change func(*Adoption)
		want   proc.End
		stop   bool
	}{
		{"not reaped", thenIgnores, func(*Adoption) {}, proc.ExitedWith(9), false},
		{"not reaped, and reported wrongly", thenIgnores, func(a *Adoption) { a.End = &lost }, proc.ExitedWith(9), false},
		{"reaped, and reported", thenReaps, func(a *Adoption) { a.End = &reported }, proc.ExitedWith(9), false},
		{"reaped, and nobody knows", thenReaps, func(a *Adoption) { a.End = &lost }, lost, false},
		{"while it was being stopped", thenIgnores, func(a *Adoption) { a.Stop = &asked }, proc.ExitedWith(9), true},
		{"reaped while it was being stopped", thenReaps, func(a *Adoption) { a.Stop, a.End = &asked, &lost }, proc.Vanished(true), true},
	} {
		f := over(leadsSession + tt.parent)
		if tt.parent == thenReaps {
			assert.Equal(t, "code 9", f.says())
		}
		tt.change(&f.Adoption)
		id := h.adopt(f.Adoption)
		end := h.ended(id)
		assert.Equal(t, tt.want, end.End, tt.name)
		assert.Equal(t, "last words\n", h.observer(id).text(proc.Stdout), tt.name)
		assert.Equal(t, "started adopted=true", h.words(id)[0], tt.name)
		assert.Equal(t, tt.stop, end.Stop != nil, tt.name)
	}
}

// Of one whose end has been told, only the leftovers are looked after.
func TestAdoptedAfterItsEndWasTold(t *testing.T) {
	h := openHost(t)
	f := foreign(t, h, leadsSession+thenIgnores, "$nap & echo ready; read x; exit 2")
	f.Stdin.WriteString("\n")
	waitUntil(t, func() bool { return !member{f.Identity.PID, f.Identity.Born}.lives() })
	record := proc.Info{Name: "foreign", PID: f.Identity.PID, Status: proc.Exited, End: proc.ExitedWith(2), Ended: time.Now()}
	f.Told = &record
	id := h.adopt(f.Adoption)
	h.await("nobody", func() bool { return len(f.others()) == 0 })
	h.await("the log", func() bool { return h.log(id).isClosed() })
	assert.Equal(t, "ready\n", h.log(id).text(proc.Stdout), "what nobody had read")
	assert.Empty(t, h.words(id))
	info, _ := h.Info(id)
	assert.Equal(t, proc.ExitedWith(2), info.End)
	_, err := h.Stop(t.Context(), id, proc.StopRequest{})
	assert.ErrorIs(t, err, ErrEnded)
}

func TestFollowedFiles(t *testing.T) {
	h := openHost(t)
	path := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.WriteFile(path, []byte("read before\n"), 0o600))
	f := foreign(t, h, leadsSession+thenIgnores, "exec >>"+path+"; echo one; read x; echo two; read x; : >"+path+"; echo anew; exit 1")
	f.Follow[proc.Stdout] = Followed{Path: path, From: int64(len("read before\n"))}
	f.Output[proc.Stdout].Close()
	f.Output[proc.Stdout] = nil
	id := h.adopt(f.Adoption)
	seen := func(text string) func() bool {
		return func() bool { return h.log(id).text(proc.Stdout) == text }
	}
	h.await("the first line", seen("one\n"))
	h.write(id, "\n")
	h.await("the second line", seen("one\ntwo\n"))
	h.write(id, "\n")
	assert.Equal(t, proc.ExitedWith(1), h.ended(id).End)
	assert.Equal(t, "one\ntwo\nanew\n", h.observer(id).text(proc.Stdout))
}

// Where the system does not say how a process has ended, the one who reaped it does, early or late, and else nobody.
func TestReportedEnds(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	reported := leaderStatus{known: true, code: 6}
	for _, tt := range []struct {
		name          string
		before, after bool
		want          leaderStatus
	}{
		{"reported before", true, false, reported},
		{"reported after", false, true, reported},
		{"not reported", false, false, leaderStatus{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := foreign(t, h, leadsSession+thenReaps, "read x; exit 6")
			g, err := newGuest(f.Adoption)
			require.NoError(t, err)
			defer g.close()
			g.word = func(member) (leaderStatus, bool) { return leaderStatus{}, false }
			g.begin()
			if tt.before {
				assert.True(t, g.report(reported))
				assert.False(t, g.pending())
			}
			f.Stdin.WriteString("\n")
			assert.Equal(t, "code 6", f.says())
			if !tt.before {
				assert.True(t, g.pending())
			}
			if tt.after {
				g.report(reported)
			}
			<-g.over()
			st, is := g.status()
			assert.True(t, is)
			assert.Equal(t, tt.want, st)
			assert.False(t, g.pending())
		})
	}
}

// What is asked when the leader has ended, but nobody knows how, has come too late.
func TestRequestsWaitForTheStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFakeHost(t)
		h.sys.handOver = func(c *fakeChild) { c.ending = true }
		require.NoError(t, h.Adopt("a", Adoption{Spec: fakeSpec("a")}, nil))
		answers := make(chan error, 1)
		go func() {
			_, err := h.Stop(t.Context(), "a", proc.StopRequest{})
			answers <- err
		}()
		synctest.Wait()
		assert.Equal(t, []string{"started"}, h.told("a"))
		require.NoError(t, h.ReportEnd("a", proc.ExitedWith(3)))
		assert.ErrorIs(t, <-answers, ErrEnded)
		assert.Equal(t, []string{"started", "ended exit 3"}, h.told("a"))
		h.Close(context.Background())
	})
}

// fakeKeeper writes down what it is told.
type fakeKeeper struct {
	told chan string
}

func (k fakeKeeper) PID() int { return 0 }

func (k fakeKeeper) Hold(id proc.ID, ends [1 + proc.NumStreams]int) {
	text := "hold"
	for _, fd := range ends {
		text += fmt.Sprintf(" %t", fd >= 0 && inodeOf(fd) != 0)
	}
	k.told <- text
}

func (k fakeKeeper) Born(id proc.ID, who proc.Identity) {
	is, err := IdentityOf(who.PID)
	k.told <- fmt.Sprintf("born %t", err == nil && is == who)
}

func (k fakeKeeper) ShutStdin(proc.ID) { k.told <- "shut" }

func (k fakeKeeper) Forget(_ proc.ID, spared bool) { k.told <- fmt.Sprintf("forget %t", spared) }

func TestKeeperIsTold(t *testing.T) {
	k := fakeKeeper{make(chan string, 100)}
	h := openHostWith(t, Options{OwnsOrphans: true, Keeper: k})
	tells := func(want ...string) {
		t.Helper()
		for _, w := range want {
			assert.Equal(t, w, <-k.told)
		}
	}
	id := h.start(h.sh("read x; exit 0"))
	tells("hold true true true", "born true")
	_, err := h.Write(t.Context(), id, []byte("\n"), true)
	require.NoError(t, err)
	tells("shut", "forget false")

	none := h.sh("exit 0")
	none.Stdin, none.Leftovers = proc.StdinNull, proc.KeepLeftovers
	h.start(none)
	tells("hold false true true", "born true", "forget false")

	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/nowhere\n"), 0o700))
	h.start(h.argv(script))
	tells("hold true true true", "forget false")

	gate := newGate(t)
	keeps := h.sh("(read x <" + gate.path + ") >/dev/null 2>&1 & exit 0")
	keeps.Leftovers = proc.KeepLeftovers
	h.start(keeps)
	tells("hold true true true", "born true", "shut", "forget true")
	gate.open()

	f := foreign(t, h, leadsSession+thenIgnores, "read x; exit 0")
	h.adopt(f.Adoption)
	tells("hold true true true", "born true")
	require.NoError(t, h.Close(context.Background()))
	tells("shut", "forget false")
}
