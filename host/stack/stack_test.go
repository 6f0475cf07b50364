package stack

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bench drives a Stack by names and writes what it does as words: "+api" for a start, "-api/reload" for a stop
// (with "!" if it kills), "~api" for an update.
type bench struct {
	t   *testing.T
	s   *Stack
	now time.Time
	ids map[string]proc.ID // of the live or last instance
	of  map[proc.ID]string
	at  map[proc.ID]time.Time
}

func newBench(t *testing.T, opt Options) *bench {
	b := &bench{t: t, now: time.Unix(1e9, 0), ids: map[string]proc.ID{}, of: map[proc.ID]string{}, at: map[proc.ID]time.Time{}}
	n := 0
	opt.NewID = func() proc.ID { n++; return proc.ID(fmt.Sprint("id", n)) }
	b.s = New(opt)
	return b
}

func (b *bench) words(effects []Effect) string {
	var out []string
	for _, e := range effects {
		switch e := e.(type) {
		case Start:
			b.ids[e.Process.Name], b.of[e.ID], b.at[e.ID] = e.ID, e.Process.Name, b.now
			out = append(out, "+"+e.Process.Name)
		case Stop:
			w := "-" + b.of[e.ID] + "/" + e.Request.By.String()
			if e.Request.Force {
				w += "!"
			}
			out = append(out, w)
		case Update:
			out = append(out, "~"+b.of[e.ID])
		}
	}
	return strings.Join(out, " ")
}

func (b *bench) apply(processes ...recipe.Process) string {
	effects, _ := b.s.Apply(recipe.Recipe{Processes: processes}, b.now)
	return b.words(effects)
}

func (b *bench) started(name string) string { return b.words(b.s.Started(b.ids[name], b.now)) }
func (b *bench) ready(name string) string   { return b.words(b.s.Ready(b.ids[name], b.now)) }

func (b *bench) end(name string, e proc.End, stop *proc.StopRequest) (string, Fate) {
	id := b.ids[name]
	effects, f := b.s.Ended(proc.Ended{
		Info: proc.Info{ID: id, Name: name, Started: b.at[id], Ended: b.now}, End: e, Stop: stop,
	}, b.now)
	return b.words(effects), f
}

func (b *bench) exits(name string, code int) string {
	w, _ := b.end(name, proc.ExitedWith(code), nil)
	return w
}

func (b *bench) obeys(name string, by proc.Cause) string {
	w, _ := b.end(name, proc.EndedBySignal(syscall.SIGTERM, true), &proc.StopRequest{By: by})
	return w
}

func (b *bench) pass(d time.Duration) string {
	b.now = b.now.Add(d)
	return b.words(b.s.Tick(b.now))
}

func p(name string, change ...func(*recipe.Process)) recipe.Process {
	out := recipe.Process{Name: name, Auto: true, Run: recipe.Run{Command: name}}
	for _, c := range change {
		c(&out)
	}
	return out
}

func needs(name string, c recipe.Condition) func(*recipe.Process) {
	return func(p *recipe.Process) { p.Depends = append(p.Depends, recipe.Dependency{Name: name, Condition: c}) }
}

func manual(p *recipe.Process) { p.Auto = false }

func restarts(on recipe.RestartOn, max int) func(*recipe.Process) {
	return func(p *recipe.Process) {
		p.Restart = recipe.DefaultRestart(on)
		p.Restart.Delay, p.Restart.Max = time.Second, max
	}
}

func command(c string) func(*recipe.Process) {
	return func(p *recipe.Process) { p.Run.Command = c }
}

func TestStartsInOrderOfDependencies(t *testing.T) {
	b := newBench(t, Options{})
	assert.Equal(t, "+db +seed", b.apply(
		p("web", needs("api", recipe.OnStarted)),
		p("api", needs("db", recipe.OnReady), needs("migrate", recipe.OnSuccess), needs("seed", recipe.OnExit)),
		p("migrate", needs("db", recipe.OnReady)),
		p("db"),
		p("seed"),
	))
	assert.Equal(t, "", b.started("db"))
	assert.Equal(t, "+migrate", b.ready("db"))
	assert.Equal(t, "", b.ready("db"), "ready twice")
	assert.Equal(t, "", b.exits("seed", 4), "an exit of any kind will do, but migrate is not through")
	assert.Equal(t, "+api", b.exits("migrate", 0))
	assert.Equal(t, "+web", b.started("api"))
	assert.False(t, b.s.Idle())
}

func TestFailureIsPassedDownTheChain(t *testing.T) {
	b := newBench(t, Options{})
	// declared against the order of the chain, so that it is passed on through several rounds
	b.apply(p("web", needs("api", recipe.OnStarted)), p("api", needs("migrate", recipe.OnSuccess)), p("migrate"), p("other"))
	b.started("migrate")
	w, fate := b.end("migrate", proc.ExitedWith(1), nil)
	assert.Equal(t, "", w)
	assert.ElementsMatch(t, []string{"web", "api"}, fate.Blocks)
	assert.Equal(t, Hindrance{Needs: "migrate", Condition: recipe.OnSuccess, Final: true}, b.s.slot("api").why)
	assert.False(t, b.s.Idle(), "other still runs")
	b.exits("other", 0)
	assert.True(t, b.s.Idle())
	assert.Equal(t, 1, b.s.Code())

	// a reload that mends the dependency brings back what was left out because of it
	assert.Equal(t, "+migrate", b.apply(p("web", needs("api", recipe.OnStarted)), p("api", needs("migrate", recipe.OnSuccess)), p("migrate", command("better")), p("other")))
	assert.Equal(t, "+api", b.exits("migrate", 0))
	assert.Equal(t, "+web", b.started("api"))
	assert.Zero(t, b.s.Code(), "a later success mends the failure")
}

func TestConditionsThatCannotComeAbout(t *testing.T) {
	for _, tt := range []struct {
		c       recipe.Condition
		ran     bool
		ready   bool
		end     proc.End
		starts  bool
		skipped bool
	}{
		{recipe.OnStarted, false, false, proc.NeverRan(proc.ErrNoCommand), false, true},
		{recipe.OnReady, true, false, proc.ExitedWith(0), false, true},
		{recipe.OnReady, true, false, proc.ExitedWith(1), false, true},
		{recipe.OnSuccess, true, false, proc.ExitedWith(1), false, true},
		{recipe.OnSuccess, true, false, proc.EndedBySignal(syscall.SIGKILL, false), false, true},
		{recipe.OnSuccess, true, false, proc.ExitedWith(0), true, false},
		{recipe.OnExit, true, false, proc.ExitedWith(9), true, false},
		{recipe.OnExit, false, false, proc.NeverRan(proc.ErrNoCommand), true, false},
		{recipe.OnExit, true, false, proc.End{}, true, false},
	} {
		t.Run(fmt.Sprintf("%s after %v", tt.c, tt.end), func(t *testing.T) {
			b := newBench(t, Options{})
			b.apply(p("a", needs("b", tt.c)), p("b"))
			if tt.ran {
				b.started("b")
			}
			w, fate := b.end("b", tt.end, nil)
			assert.Equal(t, tt.starts, w == "+a", w)
			assert.Equal(t, tt.skipped, len(fate.Blocks) == 1)
		})
	}
}

func TestRestarts(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a", restarts(recipe.OnFailure, 2)), p("w", needs("a", recipe.OnReady)))
	for n := range 2 {
		w, fate := b.end("a", proc.ExitedWith(1), nil)
		require.Equal(t, "", w)
		require.Equal(t, Fate{Restarts: n, WillRestart: true, RestartDelay: time.Second}, fate)
		require.False(t, b.s.Idle())
		due, ok := b.s.Deadline()
		require.True(t, ok)
		require.Equal(t, b.now.Add(time.Second), due)
		require.Equal(t, "", b.pass(999*time.Millisecond))
		require.Equal(t, "+a", b.pass(time.Millisecond))
	}
	_, fate := b.end("a", proc.EndedBySignal(syscall.SIGSEGV, false), nil)
	assert.Equal(t, Fate{Restarts: 2, GaveUp: true, Blocks: []string{"w"}}, fate)
	assert.True(t, b.s.Idle())
	assert.Equal(t, 1, b.s.Code(), "the first failure of the row")
	_, ok := b.s.Deadline()
	assert.False(t, ok)
}

func TestRestartPolicies(t *testing.T) {
	for _, tt := range []struct {
		on   recipe.RestartOn
		end  proc.End
		want bool
	}{
		{recipe.Never, proc.ExitedWith(1), false},
		{recipe.Never, proc.ExitedWith(0), false},
		{recipe.OnFailure, proc.ExitedWith(0), false},
		{recipe.OnFailure, proc.ExitedWith(5, 5), false},
		{recipe.OnFailure, proc.ExitedWith(1), true},
		{recipe.OnFailure, proc.EndedBySignal(syscall.SIGKILL, false), true},
		{recipe.OnFailure, proc.NeverRan(proc.ErrNoCommand), true},
		{recipe.OnFailure, proc.End{}, true},
		{recipe.Always, proc.ExitedWith(0), true},
		{recipe.Always, proc.ExitedWith(1), true},
	} {
		b := newBench(t, Options{})
		b.apply(p("a", restarts(tt.on, -1)))
		_, fate := b.end("a", tt.end, nil)
		assert.Equal(t, tt.want, fate.WillRestart, "%s after %v", tt.on, tt.end)
		assert.Equal(t, !tt.want, b.s.Idle())
	}
}

func TestHealthyRunStartsTheRowAnew(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a", restarts(recipe.OnFailure, 1)))
	for range 5 {
		b.now = b.now.Add(10 * time.Second) // as long as the default
		_, fate := b.end("a", proc.ExitedWith(1), nil)
		require.True(t, fate.WillRestart)
		require.Equal(t, "+a", b.pass(time.Second))
	}
	b.now = b.now.Add(9 * time.Second)
	_, fate := b.end("a", proc.ExitedWith(1), nil)
	assert.True(t, fate.GaveUp)
}

func TestReload(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"), p("b", needs("a", recipe.OnStarted)), p("c"), p("d"), p("e"))
	b.started("a")
	b.exits("d", 0)
	b.exits("e", 0)
	later := func(p *recipe.Process) { p.Description = "x" }
	assert.Equal(t, "-c/reload -a/reload ~b +new +e", b.apply(
		p("a", command("other")),
		p("b", needs("a", recipe.OnStarted), later),
		p("d"),
		p("new"),
		p("hand", manual),
		p("e", command("other")),
	), "c removed, a and e run differently, d is over and the same")
	assert.Equal(t, "+a", b.obeys("a", proc.ByReload), "b is not touched")
	assert.Equal(t, "", b.obeys("c", proc.ByReload))
	assert.Nil(t, b.s.slot("c"))
	assert.Equal(t, "", b.apply(p("a", command("other")), p("b", needs("a", recipe.OnStarted), later), p("d"), p("new"), p("hand", manual), p("e", command("other"))), "the same again")
}

func TestReloadBringsBackWhatStillEnds(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"))
	assert.Equal(t, "-a/reload", b.apply())
	assert.Equal(t, "", b.apply(p("a", command("again"))), "the old instance still ends")
	assert.Equal(t, "+a", b.obeys("a", proc.ByReload))
	assert.Equal(t, "again", b.s.slot("a").p.Run.Command)
}

func TestReloadLeavesWhatWasStoppedByHand(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a", restarts(recipe.Always, -1)))
	assert.Equal(t, "", b.obeys("a", proc.ByUser), "an intentional stop is no reason to restart")
	assert.Equal(t, "", b.apply(p("a", command("other"))))
	assert.True(t, b.s.Idle())
}

func TestCrashDuringReloadStop(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"))
	assert.Equal(t, "-a/reload", b.apply(p("a", command("other"))))
	// it crashed before the mark could be set: the end says so, and the new one is started all the same
	assert.Equal(t, "+a", b.exits("a", 1))
}

func TestShutdownInReverseOrder(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("db"), p("api", needs("db", recipe.OnStarted)), p("web", needs("api", recipe.OnStarted)), p("solo"),
		p("flaky", restarts(recipe.Always, -1)), p("late", needs("flaky", recipe.OnReady)))
	b.started("db")
	b.started("api")
	b.exits("flaky", 1)
	assert.Equal(t, "-web/shutdown -solo/shutdown", b.words(b.s.Shutdown(proc.ByShutdown, b.now)))
	assert.Equal(t, []string{"db", "api", "web", "solo"}, b.s.Live())
	assert.Equal(t, "", b.obeys("solo", proc.ByShutdown))
	assert.Equal(t, "", b.pass(time.Minute), "no restart any more")
	assert.Equal(t, "-api/shutdown", b.obeys("web", proc.ByShutdown))
	assert.Equal(t, "-db/shutdown", b.exits("api", 1), "however it ended")
	assert.Equal(t, "", b.apply(p("new")), "no reload any more")
	assert.Equal(t, "", b.obeys("db", proc.ByShutdown))
	assert.Empty(t, b.s.Live())
}

func TestKillGoesToAllAtOnce(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("db"), p("api", needs("db", recipe.OnStarted)))
	b.started("db")
	assert.Equal(t, "-api/shutdown", b.words(b.s.Shutdown(proc.ByShutdown, b.now)))
	assert.Equal(t, "-db/shutdown! -api/shutdown!", b.words(b.s.Kill(proc.ByShutdown, b.now)))
}

func TestSelection(t *testing.T) {
	all := []recipe.Process{p("web", needs("api", recipe.OnStarted)), p("api", needs("db", recipe.OnReady)), p("db", manual), p("other")}
	for _, tt := range []struct {
		sel  Selection
		want string
	}{
		{Selection{}, "+db +other"}, // db is started by hand, but api needs it
		{Selection{Names: []string{"web"}}, "+db"},
		{Selection{Names: []string{"web"}, Only: true}, "+web"},
		{Selection{Names: []string{"o*"}}, "+other"},
		{Selection{Names: []string{"api", "db"}, Only: true}, "+db"}, // a condition on what is selected holds
	} {
		b := newBench(t, Options{Selection: tt.sel})
		assert.Equal(t, tt.want, b.apply(all...), "%+v", tt.sel)
	}
}

func TestExitOn(t *testing.T) {
	for _, tt := range []struct {
		on      ExitOn
		name    string
		end     proc.End
		ends    bool
		code    int
		healing bool
	}{
		{ExitOn{Any: true}, "a", proc.ExitedWith(0), true, 0, false},
		{ExitOn{Any: true}, "a", proc.ExitedWith(3), true, 3, false},
		{ExitOn{Any: true}, "a", proc.ExitedWith(3), false, 3, true},
		{ExitOn{Failure: true}, "a", proc.ExitedWith(0), false, 0, false},
		{ExitOn{Failure: true}, "a", proc.EndedBySignal(syscall.SIGKILL, false), true, 137, false},
		{ExitOn{Name: "a"}, "a", proc.ExitedWith(0), true, 0, false},
		{ExitOn{Name: "a"}, "b", proc.ExitedWith(7), false, 7, false},
	} {
		b := newBench(t, Options{ExitOn: tt.on})
		var r []func(*recipe.Process)
		if tt.healing {
			r = append(r, restarts(recipe.OnFailure, -1))
		}
		b.apply(p("a", r...), p("b"), p("c"))
		w, _ := b.end(tt.name, tt.end, nil)
		assert.Equal(t, tt.ends, strings.Contains(w, "-c/exit-on"), "%+v %v: %s", tt.on, tt.end, w)
		assert.Equal(t, tt.ends, b.s.Closing())
		assert.Equal(t, tt.code, b.s.Code())
	}
}

func TestCodeIsThatOfTheFirstFailureThatNobodyAskedFor(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"), p("b"), p("c"))
	b.obeys("a", proc.ByUser)
	assert.Zero(t, b.s.Code())
	b.now = b.now.Add(time.Second)
	b.exits("c", 4)
	b.now = b.now.Add(time.Second)
	b.exits("b", 3)
	assert.Equal(t, 4, b.s.Code())
}

func TestExitOnStillSaysWhatItBlocks(t *testing.T) {
	b := newBench(t, Options{ExitOn: ExitOn{Failure: true}})
	b.apply(p("a"), p("w", needs("a", recipe.OnSuccess)))
	_, fate := b.end("a", proc.ExitedWith(1), nil)
	assert.Equal(t, []string{"w"}, fate.Blocks)
	assert.True(t, b.s.Closing())
}

func TestExitOnStartsNothingMore(t *testing.T) {
	b := newBench(t, Options{ExitOn: ExitOn{Any: true}})
	b.apply(p("a"), p("w", needs("a", recipe.OnSuccess)), p("other"))
	assert.Equal(t, "-other/exit-on", b.exits("a", 0))
}

// A dependency that restarts is waited for; nothing that waits for it is left out.
func TestDependentsWaitThroughRestarts(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("db", restarts(recipe.OnFailure, -1)), p("api", needs("db", recipe.OnReady)))
	_, fate := b.end("db", proc.ExitedWith(1), nil)
	assert.Empty(t, fate.Blocks)
	assert.Equal(t, "+db", b.pass(time.Second))
	assert.Equal(t, "+api", b.ready("db"))
}

func TestTimedOutInstanceThatDiesLater(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"))
	assert.Equal(t, "-a/shutdown", b.words(b.s.Shutdown(proc.ByShutdown, b.now)))
	assert.Equal(t, "", b.words(b.s.Gone(b.ids["a"], b.now)))
	assert.Empty(t, b.s.Live())
}

func TestCrashDuringShutdownIsNotRestarted(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a", restarts(recipe.Always, -1)), p("b"))
	b.s.Shutdown(proc.ByShutdown, b.now)
	w, fate := b.end("a", proc.ExitedWith(1), nil)
	assert.Equal(t, "", w)
	assert.False(t, fate.WillRestart)
	_, due := b.s.Deadline()
	assert.False(t, due)
}

func TestReloadDoesNotBringBackWhatIsBeingStoppedByHand(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("a"))
	b.s.slot("a").stopping = true // somebody's stop is under way
	assert.Equal(t, "", b.apply(p("a", command("other"))))
	assert.Equal(t, "", b.obeys("a", proc.ByUser))
	assert.True(t, b.s.Idle())
}

// What had been ready and then broke for good is not there for who needs it ready.
func TestReadyAndThenBroken(t *testing.T) {
	for _, tt := range []struct {
		code int
		want string
	}{{0, "+b"}, {1, ""}} {
		b := newBench(t, Options{})
		b.apply(p("a"), p("hold"), p("b", needs("a", recipe.OnReady), needs("hold", recipe.OnSuccess)))
		b.started("a")
		b.ready("a")
		b.exits("a", tt.code)
		assert.Equal(t, tt.want, b.exits("hold", 0))
	}
}
