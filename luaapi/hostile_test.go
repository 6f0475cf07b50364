package luaapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile are hooks that must not have an effect beyond their own words. Each is asked for a crash; err is
// what is said of it, or, between bars, what may be.
var hostile = []struct{ name, body, err string }{
	{"misspelt field", `return n.sumary`, `n has no field "sumary"; did you mean "summary"?`},
	{"misspelt process field", `return n.process.nmae`, `n.process has no field "nmae"; did you mean "name"?`},
	{"field of nothing", `return n.match.line`, `a nil value`},
	{"number as field", `return n[1]`, `n has no field [the number 1]`},
	{"write", `n.summary = "all good"`, `n is read-only`},
	{"write of the unknown", `n.told = false`, `n is read-only`},
	{"write deeper", `n.process.name = "x"`, `n.process is read-only`},
	{"replacement", `return n ^ n`, `attempt to perform arithmetic`},
	{"dereference", `return (-n).kind`, `attempt to perform arithmetic`},
	{"call", `return n()`, `attempt to call`},
	{"rawset", `rawset(n, "kind", "success")`, `bad argument #1`},
	{"metatable", `getmetatable(n).__index = nil`, `a boolean value`},
	{"raise", `error("boom")`, `boom`},
	{"raise a table", `error { message = "boom" }`, `boom`},
	{"raise nothing", `error()`, `error value that is a nil`},
	{"false", `return false`, `returned false, want a string, a table or nil`},
	{"true", `return true`, `returned true, want`},
	{"number", `return 5`, `returned the number 5, want`},
	{"function", `return print`, `returned a function, want`},
	{"itself", `return n`, `returned an object, want`},
	{"empty table", `return {}`, `returned a table without summary`},
	{"summary of a wrong type", `return { summary = 5 }`, `returned the number 5 as summary, want a string`},
	{"body of a wrong type", `return { summary = "x", body = {} }`, `returned a table as body, want a string`},
	{"empty text", `return ""`, `returned words that cannot be used: the text is blank`},
	{"blank text", `return " \t\n "`, `the text is blank`},
	{"blank first line", `return "\nall good"`, `the text is blank`},
	{"invisible text", `return "\226\128\139\226\129\160"`, `the text is blank`},
	{"endless", `while true do end`, `did not end within`},
	{"endless in pcall", `while true do pcall(function() while true do end end) end`, `did not end within`},
	{"tail calls", `local function f() return f() end return f()`, `did not end within`},
	{"recursion", `local function f() return 1 + f() end return f()`, `stack overflow`},
	{"flood of memory", `local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1e5) .. i end`, `took more than 64 MiB`},
	{"growing string", `local s = "x" while true do s = s .. s end`, `too large`},
	{"pattern", `return ("a"):rep(100):find("a*a*a*a*b")`, `pattern too complex`},
	{"long string", `return ("x"):rep(1e9)`, `too large`},
	{"declares", `process "x" { command = "x" }`, `process: only while the recipe loads`},
	{"declares a job", `prochost.job("x", { command = "x" })`, `job: only while the recipe loads`},
	{"declares by a handle", `pending { command = "x" }`, `process: only while the recipe loads`},
	{"registers", `on("format", function() end)`, `on: only while the recipe loads`},
	{"environment", `env { A = "1" }`, `env: only while the recipe loads`},
	{"dotenv", `dotenv ".env"`, `dotenv: only while the recipe loads`},
	{"include", `include "x.lua"`, `include: only while the recipe loads`},
	{"requires", `requires ">=0.1"`, `requires: only while the recipe loads`},
	{"require", `require "x"`, `require: only while the recipe loads`},
	{"global", `told = false`, `"told" is not declared`},
	{"word", `print = nil`, `"print" is a word of the language`},
	{"exit", `os.exit(0)`, `attempt to call`},
	{"files", `io.open("/etc/passwd")`, `"io" does not exist here`},
	{"host", `host.os = "x"`, `host is read-only`},
}

func TestHostileHooks(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			var told reports
			p := loadText(t, `
				local pending = process "api"
				pending { command = "x" }
				on("format.crash", function(n)
					`+c.body+`
				end)
				on("format.killed", function(n)
					return n.kind .. n.process.name .. n.tail[1] .. os.getenv("HOME") .. host.session
				end)
			`, told.option)
			before := fmt.Sprintf("%+v", p.Recipe())
			v := crash("api")
			began := time.Now()
			given := ample
			if strings.Contains(c.err, "did not end") {
				given = 100 * time.Millisecond
			}
			w, err := ask(t, p, v, given)
			assert.Less(t, time.Since(began), ample)
			assert.Nil(t, w)
			require.Error(t, err)
			assert.Regexp(t, "^prochost.lua:4: on\\(\"format.crash\"\\): ", err.Error())
			assert.True(t, slices.ContainsFunc(strings.Split(c.err, " | "), func(one string) bool {
				return strings.Contains(err.Error(), one)
			}), "%v", err)
			assert.Equal(t, []string{err.Error()}, told.take())
			assert.Equal(t, before, fmt.Sprintf("%+v", p.Recipe()))
			assert.Equal(t, crash("api"), v, "the caller's view")

			// The next hook is none the worse for it.
			v.Kind = "killed"
			require.Eventually(t, func() bool {
				w, err = ask(t, p, v, ample)
				return err == nil
			}, ample, time.Millisecond)
			assert.Equal(t, &notify.Words{Summary: "killedapione/home/anns1"}, w)
		})
	}
}

// TestHookCopies has a hook change all that it can of what it gets.
func TestHookCopies(t *testing.T) {
	p := loadText(t, `
		on("format.crash", function(n)
			n.tail[1] = "forged"
			n.tail[3] = "more"
			return nil
		end)
		on("format", function(n) return table.concat(n.tail, " ") end)
	`)
	v := crash("api")
	w, err := ask(t, p, v, ample)
	require.NoError(t, err)
	assert.Equal(t, "one two", w.Summary)
	assert.Equal(t, []string{"one", "two"}, v.Tail)
}
