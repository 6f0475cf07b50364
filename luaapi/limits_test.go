package luaapi

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type limitCase struct{ name, text, want string }

// loadBeyond loads what must be refused at a bound.
func loadBeyond(t *testing.T, c limitCase) {
	files := map[string]string{"prochost.lua": c.text}
	for i := range 65 {
		files[fmt.Sprintf("m%d.lua", i+1)] = "return true"
	}
	opt := testOptions(filepath.Join(write(t, files), "prochost.lua"))
	began := time.Now()
	p, _, err := Load(context.Background(), opt)
	assert.Nil(t, p)
	assert.Less(t, time.Since(began), loadTime+loadGrace+10*time.Second)
	var errs *Errors
	require.ErrorAs(t, err, &errs)
	assert.Regexp(t, c.want, err.Error())
	assert.LessOrEqual(t, len(errs.List), maxErrors)
}

// TestLoadIsStopped loads what does not end by itself.
func TestLoadIsStopped(t *testing.T) {
	for _, c := range []limitCase{
		{"endless", "while true do\npcall(function() while true do end end) end", `^prochost.lua:\d: the load was stopped after 2s`},
		{"table bomb", "local t = {}\nfor i = 1, 1e9 do t[i] = {} end", `^prochost.lua:2: the load was stopped (when it held 256 MiB|after 2s)$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			loadBeyond(t, c)
		})
	}
}

func TestLoadLimits(t *testing.T) {
	for _, c := range []limitCase{
		{"long string", `local s = ("x"):rep(1e9)`, `^prochost.lua:1: .*too large`},
		{"pattern", `local s = ("a"):rep(100):find("a*a*a*a*b")`, `^prochost.lua:1: pattern too complex`},
		{"recursion", "local function f() return 1 + f() end\nf()", `(?s)^prochost.lua:\d+: stack overflow`},
		{"parentheses", "x = " + strings.Repeat("(", 100_000), `^prochost.lua:1:\d+: nested too deeply`},
		{"long file", strings.Repeat("-\n", MaxFile/2+1), `^prochost.lua: it is longer than 256 KiB$`},
		{"processes", `for i = 1, 1001 do process("p" .. i) { command = "x" } end`, `^prochost.lua:1: process "p1001": a recipe may declare 1000 processes$`},
		{"a process again and again", `for i = 1, 1e9 do process("p") { command = "x" } end`, `(?s)^prochost.lua:1: process "p": a recipe may declare 1000 processes\nprochost.lua:1: process "p": is declared already, at prochost.lua:1$`},
		{"keys", `local t = { command = "x" } for i = 1, 20000 do t["k" .. i] = i end process "p" (t)`, `(?s)^prochost.lua:1: process "p": .*and \d{4} more$`},
		{"environments", `local t, s = {}, ("x"):rep(1000000) for i = 1, 300 do t["v" .. i] = s end process "p" { command = "x", env = t }`, `^prochost.lua:1: process "p": the environments of all processes up to this one hold more than 256 MiB`},
		{"dependencies", `local t = {} for i = 1, 1001 do t[i] = "p" .. i end process "p" { command = "x", depends = t }`, `depends: names more than the 1000 processes that there may be$`},
		{"modules", `for i = 1, 65 do local m = require("m" .. i) end`, `^prochost.lua:1: "m65": a recipe may require 64 modules$`},
	} {
		t.Run(c.name, func(t *testing.T) { loadBeyond(t, c) })
	}
}

func TestLoadsTheMostThatIsAllowed(t *testing.T) {
	p := loadText(t, `for i = 1, 1000 do process("p" .. i) { command = "x", depends = i > 1 and { "p" .. (i - 1) } or {} } end`)
	assert.Len(t, p.Recipe().Processes, MaxProcesses)
}

// TestLoadMemory has the time that a loaded machine may need to fill the memory.
func TestLoadMemory(t *testing.T) {
	opt := testOptions(filepath.Join(write(t, map[string]string{
		"prochost.lua": "local t = {}\nfor i = 1, 1e9 do t[i] = ('x'):rep(1000000) end",
	}), "prochost.lua"))
	limits := loadLimits
	limits.Time = ample
	_, err := run(t.Context(), limits, &opt, newDisk())
	assert.EqualError(t, err, "prochost.lua:2: the load was stopped when it held 256 MiB")
}

// TestManyPathsBetweenProcesses has more ways through the dependencies than could be walked one by one.
func TestManyPathsBetweenProcesses(t *testing.T) {
	p := loadText(t, `for i = 1, 60 do
		local before = {}
		for j = 1, i - 1 do before[j] = "p" .. j end
		process("p" .. i) { command = "x", depends = before }
	end`)
	assert.Len(t, p.Recipe().Processes, 60)
}

// TestLoadCancelled ends with its context.
func TestLoadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Load(ctx, testOptions(filepath.Join(write(t, map[string]string{"prochost.lua": "while true do end"}), "prochost.lua")))
	var errs *Errors
	require.ErrorAs(t, err, &errs)
	assert.Contains(t, err.Error(), "context canceled")
}

// TestLoadNeverBlocksOnAPipe reads nothing that is no regular file.
func TestLoadNeverBlocksOnAPipe(t *testing.T) {
	dir := write(t, map[string]string{"prochost.lua": `dotenv "pipe"`})
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	_, files, err := Load(t.Context(), testOptions(filepath.Join(dir, "prochost.lua")))
	assert.EqualError(t, err, `prochost.lua:1: dotenv: "pipe": it is no regular file`)
	require.Len(t, files, 2)
	assert.True(t, files[1].Missing)
}

func TestLoadWithoutARecipe(t *testing.T) {
	dir := t.TempDir()
	p, files, err := Load(t.Context(), testOptions(filepath.Join(dir, "prochost.lua")))
	assert.Nil(t, p)
	assert.EqualError(t, err, "prochost.lua: no such file or directory")
	assert.Equal(t, []File{{Path: filepath.Join(dir, "prochost.lua"), Missing: true}}, files)
}
