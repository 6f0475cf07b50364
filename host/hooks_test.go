package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// timed is a sink that notes how long after its decision each message came.
type timed struct {
	mu   sync.Mutex
	took []time.Duration
}

func (s *timed) Deliver(_ context.Context, m notify.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = append(s.took, time.Since(m.At()))
	return nil
}

// Whatever a hook does, the crash goes out once, with the built-in words, the kind and the attention that were decided,
// and the host goes on.
func TestHostileHooks(t *testing.T) {
	hooks := map[string]string{
		"loops for ever":         `while true do end`,
		"loops in pcall":         `while true do pcall(function() while true do end end) end`,
		"recurses":               `local function f() return 1 + f() end return f()`,
		"calls in its tail":      `local function f() return f() end return f()`,
		"raises":                 `error("boom")`,
		"raises a table":         `error({ code = 1 })`,
		"raises nil":             `error(nil)`,
		"returns false":          `return false`,
		"returns a number":       `return 42`,
		"returns a function":     `return function() end`,
		"returns an empty table": `return {}`,
		"returns wrong fields":   `return { summary = 1, body = {} }`,
		"returns blank":          `return " \t\n "`,
		"returns nothing":        ``,
		"floods memory":          `local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end`,
		"doubles a string":       `local s = "x" while true do s = s .. s end`,
		"repeats for ever":       `return ("x"):rep(1e10)`,
		"backtracks for ever":    `return ("a"):rep(300):find(".-.-.-.-b") and "x"`,
		"writes kind":            `n.kind = "success" return "x"`,
		"writes attention":       `n.attention = "ignore" return "x"`,
		"writes process":         `n.process.name = "other" return "x"`,
		"misspells":              `return n.sumary`,
		"declares":               `process "more" { command = "true" } return "x"`,
	}
	var recipe strings.Builder
	for name, body := range hooks {
		fmt.Fprintf(&recipe, "process %q { command = 'exit 3', format = function(n) %s end }\n", name, body)
	}
	sink := &timed{}
	r := newRig(t, recipe.String(), func(o *Options) { o.Sink = sink })
	events := r.finish()
	got := map[string]int{}
	for _, n := range notifications(events) {
		if n.ProcessName == "" {
			continue
		}
		got[n.ProcessName]++
		assert.Equal(t, "crash", n.Kind, n.ProcessName)
		assert.Equal(t, "turn", n.Attention, n.ProcessName)
		assert.Equal(t, n.Fact, n.Summary, n.ProcessName)
		assert.Contains(t, n.Fact, "crashed with exit code 3", n.ProcessName)
	}
	for name := range hooks {
		assert.Equal(t, 1, got[name], name)
	}
	assert.Equal(t, 3, r.code)
}

// Twenty-five processes fail at once, and the hook of each loops for ever: none of the messages waits for more than the
// budget, which counts from its decision.
func TestHooksOfManyAtOnce(t *testing.T) {
	var recipe strings.Builder
	recipe.WriteString("on('format.crash', function(n) while true do end end)\n")
	for i := range 25 {
		fmt.Fprintf(&recipe, "process 'p%d' { command = { './there-is-no-such-command' } }\n", i)
	}
	// The bound is that of the product. A machine that stalls may break it now and then, a hook that is waited for
	// breaks it each time.
	var took []time.Duration
	for range 5 {
		sink := &timed{}
		r := newRig(t, recipe.String(), func(o *Options) { o.Sink = sink })
		events := r.finish()
		require.Len(t, notifications(events), 25)
		require.Len(t, sink.took, 25)
		if took = sink.took; slices.Max(took) <= 100*time.Millisecond {
			return
		}
	}
	t.Errorf("built-in words came late each time, the last time %v after the decisions", took)
}

// The words of hooks reach the message, the most specific first; the facts stand beside them.
func TestWordsOfHooks(t *testing.T) {
	r := newRig(t, `
process "own"   { command = "echo a; echo b; exit 3", format = function(n)
  return ("%s broke (%s)\n%s"):format(n.process.name, n.exitCode, table.concat(n.tail, "|"))
end }
process "kind"  { command = "exit 4" }
process "any"   { command = "exit 0" }
process "nils"  { command = "exit 5", format = function() return nil end }
process "match" { command = "echo port 80", notify = { onSuccess = "ignore", logMatches = { { pattern = [[port (\d+)]], mode = "regex" } } } }
on("format.crash", function(n) return { summary = "crash of " .. n.process.name, body = n.summary } end)
on("format", function(n) return "any: " .. n.kind .. (n.match and n.match.captures[1] or "") end)
`)
	got := map[string]api.Notification{}
	for _, n := range notifications(r.finish()) {
		got[n.ProcessName] = n
	}
	assert.Equal(t, "own broke (3)", got["own"].Summary)
	assert.Equal(t, "a|b", got["own"].Body)
	assert.Equal(t, "crash of kind", got["kind"].Summary)
	assert.Equal(t, got["kind"].Fact, got["kind"].Body)
	assert.Equal(t, "any: success", got["any"].Summary)
	assert.Equal(t, "crash of nils", got["nils"].Summary)
	assert.Equal(t, "any: log_match80", got["match"].Summary)
	for name, n := range got {
		assert.Contains(t, n.Fact, name)
	}
}

// A hook that fails is named to the user once per load, not to the agent.
func TestFailingHookIsNamedOnce(t *testing.T) {
	r := newRig(t, `
process "a" { command = "exit 1" }
process "b" { command = "exit 1", depends = { a = "exit" } }
on("format.crash", function(n) error("boom") end)
`)
	troubles := 0
	for _, e := range r.finish() {
		if e, ok := e.(*api.Trouble); ok && e.What == "hook" {
			troubles++
			assert.Contains(t, e.Message, "prochost.lua:4")
			assert.Contains(t, e.Message, "boom")
		}
	}
	assert.Equal(t, 1, troubles)
}
