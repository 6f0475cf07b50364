package host

import (
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The same error is told once as long as it stands, also if the text around it changes; after a good load it is told
// anew.
func TestStandingErrorIsToldOnce(t *testing.T) {
	good := "process 'a' { command = 'exec sleep 1000' }\n"
	r := newRig(t, good, stay)
	_, at := r.wait(0, "a", started("a"))
	told := func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		return ok && n.Notification.Kind == "recipe_error"
	}
	r.save("process 'a' { comand = 1 }\n")
	_, at = r.wait(at, "the notice", told)
	r.save("process 'a' { comand = 1 } -- the same mistake\n")
	r.save("process 'a' { comand = 1 } -- and again\n")
	r.save(good + "process 'b' { command = 'echo back' }")
	_, at = r.wait(at, "b", output("b", "back"))
	r.save("process 'a' { comand = 1 }\n")
	_, _ = r.wait(at, "the notice", told)
	r.h.Shutdown(false)
	events := r.finish()
	n, _ := count(events, "recipe_error")
	assert.Equal(t, 2, n)
}

// A dependency that fails keeps others from starting: the notification names them, and nothing waits for ever.
func TestBlockedDependents(t *testing.T) {
	r := newRig(t, `
process "web" { command = "echo never", depends = { api = "ready" } }
process "api" { command = "echo never", depends = { db = "success" }, ready = { log = "x" } }
process "db"  { command = "exit 7" }
`)
	events := r.finish()
	told := notifications(events)
	require.Len(t, told, 1)
	assert.ElementsMatch(t, []string{"web", "api"}, told[0].Blocks)
	assert.Contains(t, told[0].Fact, "keeps from starting: web, api")
	assert.Equal(t, 7, r.code)
}

func TestRestartsHealAndGiveUp(t *testing.T) {
	r := newRig(t, `
process "heals" { command = "if [ -e mark ]; then exit 0; fi; touch mark; exit 3", restart = { on = "failure", delay = "10ms" } }
`)
	events := r.finish()
	assert.Zero(t, r.code, "a restart mended the failure")
	told := notifications(events)
	require.Len(t, told, 2)
	assert.True(t, told[0].WillRestart)
	assert.Equal(t, "success", told[1].Kind)

	r = newRig(t, `process "loops" { command = "exit 3", restart = { on = "failure", delay = "10ms", max = 2 } }`)
	events = r.finish()
	assert.Equal(t, 3, r.code)
	told = notifications(events)
	require.Len(t, told, 3)
	assert.True(t, told[0].WillRestart && told[1].WillRestart && !told[2].WillRestart)
	assert.True(t, told[2].GaveUp)
	var ids []string
	for _, e := range events {
		if s, ok := e.(*api.Started); ok {
			ids = append(ids, s.Process.ID)
			assert.Equal(t, len(ids)-1, s.Process.Restarts)
		}
	}
	assert.Len(t, ids, 3)
	assert.NotEqual(t, ids[0], ids[1], "each instance has an id of its own")
}

func TestShutdownGoesInReverseOrder(t *testing.T) {
	r := newRig(t, `
process "db"  { command = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done", ready = { log = "up" } }
process "api" { command = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done", depends = { db = "ready" }, ready = { log = "up" } }
process "web" { command = "echo up; exec sleep 1000", depends = { api = "ready" } }
`)
	r.wait(0, "web", output("web", "up"))
	r.h.Shutdown(false)
	var order []string
	for _, e := range r.finish() {
		if e, ok := e.(*api.Ended); ok {
			order = append(order, e.Process.Name)
		}
	}
	assert.Equal(t, []string{"web", "api", "db"}, order)
	assert.Zero(t, r.code)
}

func TestForceKillsAtOnce(t *testing.T) {
	r := newRig(t, `
process "db"  { command = "trap '' TERM; echo up; while :; do sleep 1; done", ready = { log = "up" }, stop = { grace = "10m" } }
process "api" { command = "trap '' TERM; echo up; while :; do sleep 1; done", depends = { db = "ready" }, stop = { grace = "10m" } }
`)
	_, at := r.wait(0, "api", output("api", "up"))
	r.h.Shutdown(false)
	r.wait(at, "the stop", func(e api.Event) bool {
		c, ok := e.(*api.Changed)
		return ok && c.Process.Name == "api" && c.Process.Status == "terminating"
	})
	r.h.Shutdown(true)
	for _, n := range notifications(r.finish()) {
		assert.Equal(t, "killed", n.Kind)
		assert.Equal(t, "context", n.Attention)
		assert.Equal(t, "SIGKILL", n.Signal.Name)
	}
}
