package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Twenty saves while the stack runs, by rename and in place, some of them broken; one sets onFailure = "ignore" and a
// hook that says nothing just as the process crashes. The crash is told, what did not change keeps its pid, and a
// broken save changes nothing and is named with its line.
func TestSavesWhileItRuns(t *testing.T) {
	recipe := func(n int, extra string) string {
		return fmt.Sprintf(`
process "steady" { command = "echo up; exec sleep 1000" }
process "edited" { command = "echo version %d; exec sleep 1000" }
process "victim" { command = "exec sleep 1000"%s
`, n, extra)
	}
	plain := " }"
	silent := `, notify = { onFailure = "ignore", onKilled = "ignore" } }
on("format", function(n) return "" end)
on("format.failure", function(n) return false end)`
	r := newRig(t, recipe(0, plain), stay)
	e, _ := r.wait(0, "steady", started("steady"))
	steady := *e.(*api.Started).Process.PID
	e, _ = r.wait(0, "victim", started("victim"))
	victim := *e.(*api.Started).Process.PID
	_, at := r.wait(0, "version 0", output("edited", "version 0"))

	broken := 0
	for n := 1; n <= 20; n++ {
		save := r.save
		if n%2 == 0 {
			save = r.saveInPlace
		}
		switch {
		case n%5 == 0:
			save(recipe(n, ", comand = 1 }"))
			e, at = r.wait(at, "the error of save "+fmt.Sprint(n), recipeEvent(false))
			loaded := e.(*api.RecipeLoaded)
			require.Len(t, loaded.Errors, 1)
			assert.Equal(t, "prochost.lua", loaded.Errors[0].File)
			assert.Equal(t, 4, loaded.Errors[0].Line)
			assert.Contains(t, loaded.Errors[0].Message, `did you mean "command"`)
			broken++
		case n == 13:
			save(recipe(n, silent))
			require.NoError(t, syscall.Kill(victim, syscall.SIGSEGV))
			e, _ = r.wait(0, "the crash", notified("victim", "failure"))
			assert.Contains(t, []string{"turn", "context"}, e.(*api.Notified).Notification.Attention)
			_, at = r.wait(at, fmt.Sprint("version ", n), output("edited", fmt.Sprint("version ", n)))
		default:
			extra := plain
			if n > 13 {
				extra = silent
			}
			save(recipe(n, extra))
			_, at = r.wait(at, fmt.Sprint("version ", n), output("edited", fmt.Sprint("version ", n)))
		}
	}
	require.NoError(t, syscall.Kill(steady, 0), "steady still runs")
	r.h.Shutdown(false)
	events := r.finish()

	var starts, told, reloads, recipeErrors int
	for _, e := range events {
		switch e := e.(type) {
		case *api.Started:
			if e.Process.Name == "steady" {
				starts++
				assert.Equal(t, steady, *e.Process.PID)
			}
		case *api.RecipeLoaded:
			if e.OK {
				reloads++
				assert.NotContains(t, e.Restarted, "steady")
			}
		case *api.Notified:
			switch n := e.Notification; {
			case n.ProcessName == "victim":
				told++
			case n.Kind == "recipe_error":
				recipeErrors++
				assert.Equal(t, "context", n.Attention)
				assert.Contains(t, n.Fact, "prochost.lua:4")
			case n.ProcessName == "edited":
				assert.Equal(t, "context", n.Attention, "a reload is an intentional stop")
			}
		}
	}
	assert.Equal(t, 1, starts)
	assert.Equal(t, 1, told, "the crash is told once")
	assert.Equal(t, 1+20-broken, reloads)
	assert.Equal(t, broken, recipeErrors)
}

// What a reload may change while a process runs is changed without touching it, and what it remembers stays.
func TestLiveChangesKeepTheProcess(t *testing.T) {
	recipe := func(notify string) string {
		return `process "p" { command = "read a; echo first hit; read b; echo second hit", ` + notify + ` }`
	}
	r := newRig(t, recipe(`notify = { logMatches = { { pattern = "hit" } } }`), stay)
	e, _ := r.wait(0, "p", started("p"))
	id := e.(*api.Started).Process.ID
	r.write(id, "\n")
	_, at := r.wait(0, "the match", notified("p", "log_match"))
	r.save(recipe(`notify = { onSuccess = "context", logMatches = { { pattern = "second", on = "context" }, { pattern = "hit" } } }`))
	e, at = r.wait(at, "the reload", recipeEvent(true))
	assert.Equal(t, []string{"p"}, e.(*api.RecipeLoaded).Updated)
	r.write(id, "\n")
	e, at = r.wait(at, "the new match", notified("p", "log_match"))
	assert.Equal(t, "second", e.(*api.Notified).Notification.LogMatch.Pattern)
	e, _ = r.wait(at, "the end", notified("p"))
	assert.Equal(t, "success", e.(*api.Notified).Notification.Kind, "the one-shot matcher that had fired stays fired")
	assert.Equal(t, "context", e.(*api.Notified).Notification.Attention)
	r.h.Shutdown(false)
	r.finish()
}

// Only what changed is touched; a removal is an intentional stop; what is empty is not applied.
func TestReloadTouchesWhatChanged(t *testing.T) {
	line := func(name, body string) string {
		return fmt.Sprintf("process %q { command = %q }\n", name, body+"; exec sleep 1000")
	}
	r := newRig(t, line("a", "echo a1")+line("b", "echo b1")+line("c", "echo c1"), stay)
	for _, name := range []string{"a", "b", "c"} {
		r.wait(0, name, output(name, name+"1"))
	}
	_, at := r.wait(0, "ready", func(e api.Event) bool { s, ok := e.(*api.HostState); return ok && s.State == "ready" })

	r.save("-- only this\n" + line("a", "echo a1") + line("b", "echo b1") + line("c", "echo c1"))
	e, at := r.wait(at, "the reload", recipeEvent(true))
	assert.Equal(t, []string{"a", "b", "c"}, e.(*api.RecipeLoaded).Kept)

	r.save(line("a", "echo a2") + line("d", "echo d1") + line("c", "echo c1"))
	e, at = r.wait(at, "the reload", recipeEvent(true))
	loaded := e.(*api.RecipeLoaded)
	assert.Equal(t, []string{"d"}, loaded.Added)
	assert.Equal(t, []string{"b"}, loaded.Removed)
	assert.Equal(t, []string{"a"}, loaded.Restarted)
	assert.Equal(t, []string{"c"}, loaded.Kept)
	e, _ = r.wait(at, "the stop of b", notified("b"))
	assert.Equal(t, "context", e.(*api.Notified).Notification.Attention)
	r.wait(at, "a2", output("a", "a2"))
	r.wait(at, "d1", output("d", "d1"))

	r.save("-- nothing left\n")
	e, _ = r.wait(at, "the refusal", recipeEvent(false))
	assert.Contains(t, e.(*api.RecipeLoaded).Errors[0].Message, "keeping the recipe of")
	r.h.Shutdown(false)
	events := r.finish()
	for _, e := range events {
		if e, ok := e.(*api.Ended); ok && e.Process.Name == "c" {
			assert.Equal(t, "killed", e.Process.Status, "c ran until the end")
		}
	}
	assert.Equal(t, 1, strings.Count(tellAll(events), "started c\n"))
}

// A recipe that is broken at first ends the host, or is waited for.
func TestBrokenAtFirst(t *testing.T) {
	r := newRig(t, `process "a" { comand = "x" }`)
	r.waitOver()
	assert.ErrorContains(t, r.err, `prochost.lua:1`)
	assert.Equal(t, 1, r.code)

	r = newRig(t, `process "a" {`, stay)
	_, at := r.wait(0, "the error", recipeEvent(false))
	r.save(`process "a" { command = "echo hello" }`)
	r.wait(at, "a", output("a", "hello"))
	r.h.Shutdown(false)
	r.finish()
}

func (r *rig) write(id, text string) {
	r.t.Helper()
	_, err := r.h.Service().Write(r.t.Context(), api.WriteIn{ID: id, Input: text})
	require.NoError(r.t, err)
}

func (r *rig) waitOver() {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.ended {
		r.moved.Wait()
	}
}

// An include by pattern is followed: what matches counts, what does not is no reason to load again.
func TestIncludesAreWatched(t *testing.T) {
	r := newRig(t, `include "parts/*.lua"
process "main" { command = "exec sleep 1000" }`, stay)
	_, at := r.wait(0, "main", started("main"))
	parts := filepath.Join(filepath.Dir(r.recipe), "made")
	require.NoError(t, os.Mkdir(parts, 0o700))
	for n := range 3 {
		require.NoError(t, os.WriteFile(filepath.Join(parts, fmt.Sprint("noise", n)), []byte("no recipe"), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(parts, "a.lua"), []byte(`process "a" { command = "echo one" }`), 0o600))
	require.NoError(t, os.Rename(parts, filepath.Join(filepath.Dir(r.recipe), "parts")))
	parts = filepath.Join(filepath.Dir(r.recipe), "parts")
	_, at = r.wait(at, "a", output("a", "one"))
	require.NoError(t, os.WriteFile(filepath.Join(parts, "more noise"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(parts, "a.lua"), []byte(`process "a" { command = "echo two" }`), 0o600))
	r.wait(at, "a", output("a", "two"))
	r.h.Shutdown(false)
	loads := 0
	for _, e := range r.finish() {
		if e, ok := e.(*api.RecipeLoaded); ok {
			loads++
			assert.True(t, loads == 1 || len(e.Added)+len(e.Restarted) > 0, "a load that changes nothing: %s", tell(e))
		}
	}
	assert.Equal(t, 3, loads)
}
