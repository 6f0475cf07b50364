package luaapi

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi/vm"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reports collects what is reported.
type reports struct {
	mu   sync.Mutex
	list []string
}

func (r *reports) option(o *Options) {
	o.Report = func(s string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list = append(r.list, s)
	}
}

func (r *reports) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

// ask asks with the time that the host gives; on a loaded machine that may be too little for a good hook,
// so good ones are asked with ample.
func ask(t *testing.T, p *Program, v notify.View, time time.Duration) (*notify.Words, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time)
	defer cancel()
	return p.Words(ctx, v)
}

const ample = 10 * time.Second

func crash(process string) notify.View {
	code := 1
	return notify.View{
		Kind: "crash", Attention: "turn", Summary: process + " crashed", EndReason: "exit", ExitCode: &code,
		Process: notify.ProcessView{ID: "proc_1", Name: process, Command: "go run .", Dir: "/p", PID: 42, Restarts: 2, Uptime: 1500 * time.Millisecond},
		Tail:    []string{"one", "two"},
		Time:    time.Unix(1700000000, 250e6),
	}
}

func TestWordsOrder(t *testing.T) {
	p := loadText(t, `
		process "own" { command = "x", format = function(n) if n.kind ~= "killed" then return "own " .. n.kind end end }
		process "other" { command = "x" }
		process "silent" { command = "x", format = function() return nil end }
		on("format.crash", function(n) if n.process.name ~= "silent" then return "crash " .. n.process.name end end)
		on("format", function(n) return "any " .. n.kind end)
	`)
	for _, c := range []struct{ kind, process, want string }{
		{"crash", "own", "own crash"},
		{"success", "own", "own success"},
		{"killed", "own", "any killed"},
		{"crash", "other", "crash other"},
		{"crash", "silent", "any crash"},
		{"log_match_suppressed", "", "any log_match_suppressed"},
		{"crash", "unknown", "crash unknown"},
	} {
		v := crash(c.process)
		v.Kind = c.kind
		w, err := ask(t, p, v, ample)
		require.NoError(t, err)
		assert.Equal(t, &notify.Words{Summary: c.want}, w)
	}
}

func TestHasWords(t *testing.T) {
	p := loadText(t, `
		process "own" { command = "x", format = function() end }
		process "other" { command = "x" }
		on("format.log_match", function() end)
	`)
	assert.True(t, p.HasWords("crash", "own"))
	assert.True(t, p.HasWords("log_match", "other"))
	assert.False(t, p.HasWords("crash", "other"))
	assert.False(t, p.HasWords("log_match_suppressed", ""))
	w, err := ask(t, p, crash("other"), ample)
	assert.Nil(t, w)
	assert.NoError(t, err)
	assert.False(t, loadText(t, "").HasWords("crash", "own"))
}

func TestWordsReturned(t *testing.T) {
	for _, c := range []struct {
		body string
		want *notify.Words
	}{
		{`return "one line"`, &notify.Words{Summary: "one line"}},
		{`return "first\nsecond\nthird"`, &notify.Words{Summary: "first", Body: "second\nthird"}},
		{`return { summary = "s" }`, &notify.Words{Summary: "s"}},
		{`return { summary = "s", body = "b\nc" }`, &notify.Words{Summary: "s", Body: "b\nc"}},
		{`return nil`, nil},
		{`return`, nil},
		{``, nil},
		{`return "x", "y"`, &notify.Words{Summary: "x"}},
	} {
		p := loadText(t, `on("format", function(n) `+c.body+` end)`)
		w, err := ask(t, p, crash("api"), ample)
		assert.NoError(t, err, c.body)
		assert.Equal(t, c.want, w, c.body)
	}
}

// TestView has a hook look at every field.
func TestView(t *testing.T) {
	v := crash("api")
	v.Signal = "SIGKILL"
	v.Kind = "log_match"
	v.Match = &notify.MatchView{Pattern: "p(.)", Stream: "stderr", Line: "a line", Captures: []string{"x", "y"}}
	p := loadText(t, `
		on("format", function(n)
			assert(n.kind == "log_match" and n.attention == "turn" and n.summary == "api crashed")
			assert(n.endReason == "exit" and n.exitCode == 1 and n.signal == "SIGKILL")
			local p = n.process
			assert(p.id == "proc_1" and p.name == "api" and p.command == "go run ." and p.cwd == "/p")
			assert(p.pid == 42 and p.restarts == 2 and p.uptime == 1.5)
			assert(n.match.pattern == "p(.)" and n.match.stream == "stderr" and n.match.line == "a line")
			assert(table.concat(n.match.captures, ",") == "x,y")
			assert(#n.tail == 2 and table.concat(n.tail, "\n") == "one\ntwo")
			for i, line in ipairs(n.tail) do assert(line == ({ "one", "two" })[i]) end
			assert(n.time == 1700000000.25 and os.date("!%Y", n.time) == "2023")
			return "fine"
		end)
		on("format.success", function(n) -- what is not there is nil
			assert(n.exitCode == nil and n.signal == nil and n.endReason == nil and n.match == nil)
			assert(n.process.pid == nil and n.process.name == "" and #n.tail == 0)
			return "fine"
		end)
	`)
	w, err := ask(t, p, v, ample)
	require.NoError(t, err)
	assert.Equal(t, "fine", w.Summary)
	w, err = ask(t, p, notify.View{Kind: "success"}, ample)
	require.NoError(t, err)
	assert.Equal(t, "fine", w.Summary)
}

func TestHookIsOffAfterThreeFailures(t *testing.T) {
	var told reports
	p := loadText(t, `
		process "api" { command = "x", format = function(n) if n.exitCode == 1 then error("boom") end return "own" end }
		on("format", function() return "general" end)
	`, told.option)
	bad, good := crash("api"), crash("api")
	good.ExitCode = nil

	for range 2 {
		_, err := ask(t, p, bad, ample)
		assert.ErrorContains(t, err, "boom")
	}
	assert.Len(t, told.take(), 1, "told once")
	_, err := ask(t, p, good, ample) // the row is broken
	require.NoError(t, err)
	for range 3 {
		_, err := ask(t, p, bad, ample)
		assert.ErrorContains(t, err, "boom")
	}
	assert.Equal(t, []string{`prochost.lua:2: format of process "api": off until the next load, after 3 failures in a row`}, told.take())

	// It is as if it were not there.
	w, err := ask(t, p, good, ample)
	require.NoError(t, err)
	assert.Equal(t, "general", w.Summary)
	assert.True(t, p.HasWords("crash", "api"))
	assert.Empty(t, told.take())
}

func TestHasWordsWithoutThoseThatAreOff(t *testing.T) {
	p := loadText(t, `on("format.crash", function() error("boom") end)`)
	for range 3 {
		assert.True(t, p.HasWords("crash", "api"))
		ask(t, p, crash("api"), ample)
	}
	assert.False(t, p.HasWords("crash", "api"))
}

func TestUnknownKeyIsReportedOnce(t *testing.T) {
	var told reports
	p := loadText(t, `on("format", function() return { summary = "s", bdoy = "b", atention = "ignore" } end)`, told.option)
	for range 5 {
		w, err := ask(t, p, crash("api"), ample)
		require.NoError(t, err)
		assert.Equal(t, &notify.Words{Summary: "s"}, w)
	}
	assert.Equal(t, []string{`prochost.lua:1: on("format"): returned the unknown key "atention" beside summary and body`}, told.take())
}

// TestNoTimeIsNoFailure asks when the time is over, or nearly, which is what happens to the last of many
// notifications at once.
func TestNoTimeIsNoFailure(t *testing.T) {
	var told reports
	p := loadText(t, `on("format", function(n) if n.kind == "crash" then while true do end end return "fine" end)`, told.option)
	for range 3 * maxFailures {
		_, err := ask(t, p, crash("api"), -time.Second)
		assert.ErrorIs(t, err, errLate)
		_, err = ask(t, p, crash("api"), fairTime/5)
		assert.ErrorIs(t, err, errLate)
	}
	assert.Empty(t, told.take())
	assert.True(t, p.HasWords("crash", "api"))
}

func TestWordsAfterClose(t *testing.T) {
	var told reports
	p := loadText(t, `on("format", function() return "x" end)`, told.option)
	p.Close()
	p.Close()
	require.Eventually(t, func() bool {
		w, err := ask(t, p, crash("api"), ample)
		return w == nil && assert.ErrorIs(t, err, vm.ErrClosed)
	}, ample, time.Millisecond)
	assert.Empty(t, told.take())
}

func TestWordsConcurrently(t *testing.T) {
	p := loadText(t, `on("format", function(n) return n.process.name end)`)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			name := fmt.Sprintf("p%d", i)
			w, err := ask(t, p, crash(name), ample)
			if assert.NoError(t, err) {
				assert.Equal(t, name, w.Summary)
			}
		})
	}
	all.Wait()
}

func TestPrint(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	p := loadText(t, `
		print("loaded", 1)
		on("format", function(n)
			print(("x"):rep(100000))
			for i = 1, 5000 do print(i) end
			return "fine"
		end)
	`, func(o *Options) {
		o.Print = func(s string) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, s)
		}
	})
	assert.Equal(t, []string{"loaded\t1"}, lines)
	for range 2 {
		lines = nil
		_, err := ask(t, p, crash("api"), ample)
		require.NoError(t, err)
		assert.Len(t, lines, maxPrints)
		assert.Less(t, len(lines[0]), 20_000)
		assert.Contains(t, lines[maxPrints-1], "dropped")
	}
}
