package scripts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/prochost/prochost/scripts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines are real lines of output. Each meets the matchers that are named and no others.
var lines = []struct{ line, matchers string }{
	{"panic: runtime error: index out of range [3] with length 3", "go_panic"},
	{"2026/11/30 21:31:07 http: panic serving 127.0.0.1:51234: boom", "go_panic"},
	{"fatal error: all goroutines are asleep - deadlock!", "go_panic"},
	{"fatal error: concurrent map writes", "go_panic"},
	{"WARNING: DATA RACE", "go_panic"},
	{"fatal error: runtime: out of memory", "go_panic out_of_memory"},
	{"./main.go:12:2: undefined: foo", "go_build"},
	{"cmd/api/main.go:3:8: \"os\" imported and not used", "go_build"},
	{"vet: ./main.go:12:2: undefined: foo", "go_build"},
	{"Traceback (most recent call last):", "python_traceback"},
	{"  Traceback (most recent call last):", "python_traceback"},
	{"MemoryError", "out_of_memory"},
	{"TypeError: Cannot read properties of undefined (reading 'x')", "node_uncaught"},
	{"Uncaught Error: boom", "node_uncaught"},
	{"[UnhandledPromiseRejection: This error originated either by throwing]", "node_uncaught"},
	{"node:internal/modules/cjs/loader:1148", "node_uncaught"},
	{"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "errors out_of_memory"},
	{"src/app.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.", "typescript"},
	{"src/app.ts:3:7 - error TS2322: Type 'string' is not assignable to type 'number'.", "typescript"},
	{"thread 'main' panicked at src/main.rs:2:5:", "rust_panic"},
	{"thread 'tokio-runtime-worker' (4711) panicked at src/main.rs:2:5:", "rust_panic"},
	{`Exception in thread "main" java.lang.NullPointerException`, "java_exception"},
	{"Caused by: org.postgresql.util.PSQLException: Connection refused.", "java_exception connection_refused"},
	{`Exception in thread "main" java.lang.OutOfMemoryError: Java heap space`, "java_exception out_of_memory"},
	{"app.rb:3:in 'Integer#/': divided by 0 (ZeroDivisionError)", "ruby_exception"},
	{"app.rb:3:in `<main>': undefined method `x' for nil:NilClass (NoMethodError)", "ruby_exception"},
	{"Error: listen EADDRINUSE: address already in use :::3000", "node_uncaught port_in_use"},
	{"listen tcp :8080: bind: address already in use", "port_in_use"},
	{"OSError: [Errno 98] Address already in use", "node_uncaught port_in_use"},
	{"Port 5173 is in use, trying another one...", "port_in_use"},
	{"Error: connect ECONNREFUSED 127.0.0.1:5432", "node_uncaught connection_refused"},
	{"dial tcp 127.0.0.1:5432: connect: connection refused", "connection_refused"},
	{"Error: ENOSPC: System limit for number of file watchers reached", "node_uncaught no_resources"},
	{"open /tmp/x: no space left on device", "no_resources"},
	{"accept tcp [::]:8080: accept4: too many open files", "no_resources"},
	{"fork: Cannot allocate memory", "out_of_memory"},
	{"2026-11-30 21:31:07,123 ERROR app: boom", "errors"},
	{`time=2026-11-30T21:31:07Z level=ERROR msg=boom`, "errors"},
	{`{"level":"error","msg":"boom"}`, "errors"},
	{`level=fatal msg="boom"`, "errors"},
	{"2026/11/30 21:31:07 [error] 29#29: *1 connect() failed", "errors"},

	// what only looks like trouble
	{"0 errors, 0 warnings", ""},
	{"Found 0 errors. Watching for file changes.", ""},
	{`{"level":"info","error":null}`, ""},
	{"compiled successfully", ""},
	{"listening on :8080", ""},
	{"  Local:   http://localhost:5173/", ""},
	{"PASS: TestErrorsAreTold", ""},
	{"GET /errors/404 200 3ms", ""},
	{"don't panic: all is well", ""},
	{"terror", ""},
}

// load returns the matchers by name, as a recipe gets them.
func load(t *testing.T) map[string]notify.Matcher {
	path := filepath.Join(t.TempDir(), "prochost.lua")
	require.NoError(t, os.WriteFile(path, []byte(`
		for name, m in pairs(require "prochost.matchers") do
			if type(m) == "table" then
				process(name) { command = "x", notify = { logMatches = { m } } }
			end
		end`), 0o644))
	p, _, err := luaapi.Load(context.Background(), luaapi.Options{Path: path})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	matchers := map[string]notify.Matcher{}
	for _, one := range p.Recipe().Processes {
		matchers[one.Name] = one.Notify.LogMatches[0]
	}
	return matchers
}

func TestMatchers(t *testing.T) {
	matchers := load(t)
	met := map[string]bool{}
	for _, c := range lines {
		var got []string
		for name, m := range matchers {
			all, err := notify.NewMatchers([]notify.Matcher{m})
			require.NoError(t, err)
			if all.Observe(proc.Stderr, []byte(c.line), time.Now()) != nil {
				got = append(got, name)
				met[name] = true
			}
		}
		assert.ElementsMatch(t, strings.Fields(c.matchers), got, c.line)
	}
	for name := range matchers {
		assert.True(t, met[name], "no line meets %s", name)
	}
	assert.LessOrEqual(t, len(matchers), notify.MaxMatchers, "one process can have them all")
}

// TestModules holds that every module can be found by its name, returns something and says what it is for.
func TestModules(t *testing.T) {
	require.NotEmpty(t, scripts.Modules())
	for _, name := range scripts.Modules() {
		src, ok := scripts.Module(name)
		require.True(t, ok)
		assert.True(t, strings.HasPrefix(string(src), "--- "), name)
		assert.Contains(t, string(src), fmt.Sprintf("require %q", "prochost."+name))
	}
	_, ok := scripts.Module("../embed.go")
	assert.False(t, ok)
	_, ok = scripts.Module("none")
	assert.False(t, ok)
}
