package stack

import (
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
)

func (b *bench) want(name string) string  { return b.words(b.s.Want(name, b.now)) }
func (b *bench) hold(name string) string  { return b.words(b.s.Hold(name, b.now)) }
func (b *bench) renew(name string) string { return b.words(b.s.Renew(name, false, b.now)) }

func (b *bench) phase(name string) Phase {
	sl, ok := b.s.Slot(name)
	assert.True(b.t, ok, name)
	return sl.Phase
}

func TestHeldStaysStopped(t *testing.T) {
	b := newBench(t, Options{})
	assert.Equal(t, "+api", b.apply(p("api", restarts(recipe.Always, -1))))
	b.started("api")
	assert.Equal(t, "", b.hold("api"), "who holds it stops it")
	assert.Equal(t, "", b.obeys("api", proc.ByUser))
	assert.Equal(t, Idle, b.phase("api"))
	assert.Equal(t, "", b.apply(p("api", restarts(recipe.Always, -1), command("other"))), "a reload starts nothing that was stopped by hand")
	assert.Equal(t, "+api", b.want("api"))
}

// What is stopped by hand while it waits for its restart, or while another instance is to follow, stays stopped.
func TestStopBeatsRestart(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("api", restarts(recipe.OnFailure, -1)))
	b.started("api")
	assert.Equal(t, "", b.exits("api", 1))
	assert.Equal(t, Backoff, b.phase("api"))
	assert.Equal(t, "", b.hold("api"))
	assert.Equal(t, "", b.pass(time.Hour))
	assert.Equal(t, Idle, b.phase("api"))

	b.want("api")
	b.started("api")
	assert.Equal(t, "-api/restart", b.renew("api"))
	b.hold("api")
	assert.Equal(t, "", b.obeys("api", proc.ByRestart), "the mark is of the first stop, the will of the last")
	assert.Equal(t, Idle, b.phase("api"))
	assert.Equal(t, "", b.apply(p("api", restarts(recipe.OnFailure, -1)), p("web", needs("api", recipe.OnStarted))))
	assert.Equal(t, Waiting, b.phase("web"), "it is not started for those who need it either")
}

// A stop by hand that comes when the process has just ended by itself, and the end is not known yet, holds all the same.
func TestStopThatComesAfterTheEnd(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("api", restarts(recipe.OnFailure, -1)))
	b.started("api")
	assert.Equal(t, "", b.hold("api"))
	w, fate := b.end("api", proc.ExitedWith(1), nil)
	assert.Equal(t, "", w)
	assert.False(t, fate.WillRestart)
	assert.Equal(t, Idle, b.phase("api"))
	assert.Equal(t, "", b.pass(time.Hour))
	assert.Equal(t, 1, b.s.Code(), "it has failed all the same")
	assert.Equal(t, "+api", b.want("api"))
}

func TestRenewFollowsTheEnd(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("api"))
	b.started("api")
	assert.Equal(t, "-api/restart", b.renew("api"))
	assert.Equal(t, "+api", b.obeys("api", proc.ByRestart))
	b.started("api")
	assert.Equal(t, "", b.exits("api", 1))
	assert.Equal(t, "+api", b.renew("api"), "what has ended is started at once")
}

func TestWantDuringAStop(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("api"))
	b.started("api")
	b.hold("api")
	assert.Equal(t, "", b.want("api"), "one instance at a time")
	assert.Equal(t, "+api", b.obeys("api", proc.ByUser))
	b.started("api")
	assert.Equal(t, "", b.want("api"), "it runs already")
}

// Who starts a process starts what it needs: what was stopped by hand, and a job that failed.
func TestWantBringsWhatIsNeeded(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("db"), p("migrate", needs("db", recipe.OnStarted)), p("api", needs("migrate", recipe.OnSuccess)))
	assert.Equal(t, "+migrate", b.started("db"))
	b.started("migrate")
	assert.Equal(t, "", b.exits("migrate", 1))
	assert.Equal(t, Skipped, b.phase("api"))
	b.hold("db")
	b.obeys("db", proc.ByUser)
	assert.Equal(t, "+db", b.want("api"))
	assert.Equal(t, "+migrate", b.started("db"))
	b.started("migrate")
	assert.Equal(t, "+api", b.exits("migrate", 0))
}

func TestByHandAfterTheShutdownBegan(t *testing.T) {
	b := newBench(t, Options{})
	b.apply(p("api"), p("tool", manual))
	b.started("api")
	b.words(b.s.Shutdown(proc.ByShutdown, b.now))
	assert.Equal(t, "", b.want("tool"))
	assert.Equal(t, "", b.renew("api"))
	assert.Equal(t, "", b.obeys("api", proc.ByShutdown))
	assert.Empty(t, b.s.Live())
}
