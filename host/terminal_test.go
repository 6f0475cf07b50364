package host

import (
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
)

// A process with a terminal is one like any other: its readiness, its matches, its restarts, its reload.
func TestTerminalOfARecipe(t *testing.T) {
	t.Parallel()
	recipe := func(pty string) string {
		return `
process "tty" {
  command = "if test -t 1; then echo on a terminal $(stty size) $TERM; else echo on none; fi; exec sleep 1000",
  env     = { TERM = false },
  ready   = { log = "on .*80 xterm|none$", mode = "regex" },
  pty     = ` + pty + `,
}
job "flaky" {
  command = "stty size; exit 0",
  depends = { tty = "ready" },
  pty     = true,
}
process "again" {
  command = "printf 'once\\nmore'; exit 3",
  restart = { on = "failure", delay = "1ms", max = 2 },
  pty     = true,
  notify  = { logMatches = { { pattern = "once" } } },
}`
	}
	r := newRig(t, recipe("true"), stay)
	_, at := r.wait(0, "its output", output("tty", "on a terminal 24 80 xterm-256color"))
	r.wait(0, "what waits for it", output("flaky", "24 80"))
	r.wait(0, "the last end", func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		return ok && n.Notification.ProcessName == "again" && n.Notification.GaveUp
	})
	r.save(recipe("false"))
	e, _ := r.wait(at, "the reload", func(e api.Event) bool { l, ok := e.(*api.RecipeLoaded); return ok && l.Generation == 2 })
	assert.Equal(t, []string{"tty"}, e.(*api.RecipeLoaded).Restarted)
	r.wait(at, "the next instance", output("tty", "on none"))
	r.h.Shutdown(false)
	var lines []string
	kinds := map[string]int{}
	for _, e := range r.finish() {
		switch e := e.(type) {
		case *api.Output:
			if e.Name == "again" {
				lines = append(lines, e.Text)
				assert.Equal(t, "stdout", e.Stream)
			}
		case *api.Notified:
			if e.Notification.ProcessName == "again" {
				kinds[e.Notification.Kind]++
			}
		}
	}
	assert.Equal(t, []string{"once", "more", "once", "more", "once", "more"}, lines)
	assert.Equal(t, map[string]int{"crash": 3, "log_match": 3}, kinds)
}
