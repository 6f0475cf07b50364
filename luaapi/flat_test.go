package luaapi

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestLoadsAreFlat loads again and again, good recipes and bad ones, asks their hooks, and looks that
// memory, goroutines and file descriptors are where they were. PROCHOST_SOAK=1 makes it ten thousand loads.
func TestLoadsAreFlat(t *testing.T) {
	loads := 100
	if os.Getenv("PROCHOST_SOAK") != "" {
		loads = 10_000
	}
	dir := write(t, map[string]string{
		"good.lua": `
			local matchers = require "prochost.matchers"
			local lib = require "lib"
			dotenv ".env"
			include "more/*.lua"
			for i = 1, 20 do process("p" .. i) { command = "x", notify = { logMatches = { matchers.errors } } } end
			local kept = {}
			on("format", function(n) kept[#kept + 1] = n; return lib.text .. n.process.name end)`,
		"lib.lua":    `return { text = ("x"):rep(400000) }`,
		".env":       "A=1",
		"more/a.lua": "",
		"bad.lua":    `process "x" { comand = "x" } error("boom")`,
		"broken.lua": `process "x" {`,
		"absent.lua": `local lib = require "nowhere"`,
	})
	round := func(i int) {
		name := []string{"good", "bad", "broken", "absent"}[i%4]
		p, _, err := Load(t.Context(), testOptions(filepath.Join(dir, name+".lua")))
		if name != "good" {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		w, err := ask(t, p, crash("api"), ample)
		require.NoError(t, err)
		require.NotNil(t, w)
		p.Close()
	}
	measure := func() (memory uint64, fds int) {
		require.NoError(t, goleak.Find()) // waits for what is on its way out
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, openFiles(t)
	}
	for i := range 12 { // what is made once is made
		round(i)
	}
	memory, fds := measure()
	for i := range loads {
		round(i)
	}
	memoryAfter, fdsAfter := measure()
	assert.Equal(t, fds, fdsAfter, "file descriptors")
	const slack = 4 << 20 // a good program holds 400 kB, and every fourth load makes one
	assert.Less(t, memoryAfter, memory+slack, "memory after %d loads: %s", loads, fmt.Sprintf("%d KiB → %d KiB", memory>>10, memoryAfter>>10))
}

func openFiles(t *testing.T) int {
	entries, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	return len(entries)
}
