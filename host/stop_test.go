package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stop command belongs to the stop: what it prints is output of the process, and precedes its end.
func TestStopCommandOfARecipe(t *testing.T) {
	t.Parallel()
	r := newRig(t, `
process "good" {
  command = "trap 'exit 0' USR1; echo up; while :; do sleep 0.01; done",
  env  = { WORD = "asking" },
  stop = { command = "echo $WORD; kill -USR1 $PROCHOST_PID", grace = "60s" },
}
process "bad" {
  command = "trap 'exit 0' INT; echo up; while :; do sleep 0.01; done",
  stop = { command = { "./no-such-ctl" }, signal = "INT", grace = "60s" },
}`, stay)
	r.wait(0, "good", output("good", "up"))
	r.wait(0, "bad", output("bad", "up"))
	r.h.Shutdown(false)
	events := r.finish()
	var told []string
	for _, e := range events {
		switch e := e.(type) {
		case *api.Output:
			if e.Name == "good" {
				told = append(told, e.Text)
			}
		case *api.Ended:
			assert.Equal(t, 0, *e.Process.ExitCode, e.Process.Name)
			if e.Process.Name == "good" {
				told = append(told, "ended")
			}
		case *api.Trouble:
			assert.Equal(t, `the stop command of "bad" could not be run: no such command: "./no-such-ctl"; SIGINT is sent instead`, e.Message)
			told = append(told, "trouble")
		}
	}
	assert.Contains(t, told, "trouble")
	assert.Equal(t, []string{"up", "asking", "ended"}, without(told, "trouble"))
	for _, n := range notifications(events) {
		assert.Equal(t, "context", n.Attention, n.ProcessName)
	}
}

func without(list []string, word string) (rest []string) {
	for _, s := range list {
		if s != word {
			rest = append(rest, s)
		}
	}
	return rest
}

// Stop and leftovers are applied to what runs.
func TestStopAndLeftoversAreRevised(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	recipe := func(leftovers, signal string) string {
		return strings.NewReplacer("GATE", gate, "LEFTOVERS", leftovers, "SIGNAL", signal).Replace(`
process "leaves" { command = "sleep 1000 & echo left $!; read x <GATE; exit 0", leftovers = "LEFTOVERS" }
process "stops" { command = "trap 'echo by USR1; exit 0' USR1; echo up; while :; do sleep 0.01; done", stop = { signal = "SIGNAL", grace = "60s" } }`)
	}
	r := newRig(t, recipe("end", "USR2"), stay)
	e, _ := r.wait(0, "the leftover", output("leaves", "left"))
	leftover, err := strconv.Atoi(strings.TrimPrefix(e.(*api.Output).Text, "left "))
	require.NoError(t, err)
	_, at := r.wait(0, "stops", output("stops", "up"))

	r.save(recipe("keep", "USR1"))
	e, _ = r.wait(at, "the reload", func(e api.Event) bool { l, ok := e.(*api.RecipeLoaded); return ok && l.Generation == 2 })
	assert.Equal(t, []string{"leaves", "stops"}, e.(*api.RecipeLoaded).Updated)
	require.NoError(t, os.WriteFile(gate, []byte("go\n"), 0))
	r.wait(at, "the end", ended("leaves"))
	r.h.Shutdown(false)
	events := r.finish()
	assert.True(t, anyEvent(events, output("stops", "by USR1")), "the stop goes by the new rules")
	assert.NoError(t, syscall.Kill(leftover, 0), "the leftover lives")
	require.NoError(t, syscall.Kill(leftover, syscall.SIGKILL))
	syscall.Wait4(leftover, nil, 0, nil)
}

func anyEvent(events []api.Event, meets func(api.Event) bool) bool {
	for _, e := range events {
		if meets(e) {
			return true
		}
	}
	return false
}
