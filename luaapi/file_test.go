package luaapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFilesTellOfEveryChange loads a recipe with files of every kind, does something to the disk, and looks
// which of the files say so. What they cannot see would never be loaded.
func TestFilesTellOfEveryChange(t *testing.T) {
	recipe := map[string]string{
		"prochost.lua": `
			dotenv ".env"
			dotenv "absent.env"
			include "services/*/prochost.lua"
			include "extra.d/*.lua"
			pcall(require, "absent")
			require "lib"
			process "x" { command = "x", envFile = "x.env" }`,
		".env":                    "A=1",
		"x.env":                   "B=1",
		"lib.lua":                 "return 1",
		"services/a/prochost.lua": "",
		"services/b/other":        "",
	}
	put := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, name))) }
	}
	for _, c := range []struct {
		name string
		do   func(*testing.T, string)
		want string // paths that change
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"same text again", put("lib.lua", "return 1"), ""},
		{"unrelated file", put("README", "x"), ""},
		{"unrelated file in a directory looked through", put("services/README", "x"), ""},
		{"hidden directory", put("services/.git/prochost.lua", "x"), ""},
		{"recipe", put("prochost.lua", "x"), "prochost.lua"},
		{"included recipe", put("services/a/prochost.lua", "x"), "services/a/prochost.lua"},
		{"module", put("lib.lua", "return 2"), "lib.lua"},
		{"variables", put(".env", "A=2"), ".env"},
		{"variables of a process", put("x.env", "A=2"), "x.env"},
		{"absent variables", put("absent.env", ""), "absent.env"},
		{"absent module", put("absent.lua", ""), "absent.lua"},
		{"removed module", remove("lib.lua"), "lib.lua"},
		{"recipe in a known directory", put("services/b/prochost.lua", ""), "services/b"},
		{"recipe in another directory", put("services/c/prochost.lua", ""), "services"},
		{"removed recipe", remove("services/a/prochost.lua"), "services/a services/a/prochost.lua"},
		{"removed directory", remove("services/a"), "services services/a services/a/prochost.lua"},
		{"absent directory", put("extra.d/x.lua", ""), "extra.d"},
		{"empty directory", put("extra.d/x", ""), "extra.d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, recipe)
			p, files, err := Load(t.Context(), testOptions(filepath.Join(dir, "prochost.lua")))
			require.NoError(t, err)
			defer p.Close()
			c.do(t, dir)
			var changed []string
			for _, f := range files {
				if f.Current() != f {
					rel, err := filepath.Rel(dir, f.Path)
					require.NoError(t, err)
					changed = append(changed, rel)
				}
			}
			assert.ElementsMatch(t, strings.Fields(c.want), changed)
		})
	}
}

func TestGlob(t *testing.T) {
	dir := write(t, map[string]string{
		"a/x.lua": "", "a/y.lua": "", "b/x.lua": "", "b/z": "", ".c/x.lua": "", "d": "", "a/.x.lua": "", "e/sub/x.lua": "", "b/w[1].lua": "",
	})
	for pattern, want := range map[string]string{
		"*/x.lua":     "a/x.lua b/x.lua",
		"a/*.lua":     "a/x.lua a/y.lua",
		"[ab]/?.lua":  "a/x.lua a/y.lua b/x.lua",
		"*/sub/x.lua": "e/sub/x.lua",
		"*/*/x.lua":   "e/sub/x.lua",
		".*/x.lua":    ".c/x.lua",
		"d/*":         "",
		"none/*":      "",
		`b/w\[*.lua`:  "b/w[1].lua",
		"b/[!a-y]":    "",
		"b/[^a-y]":    "b/z",
	} {
		d := newDisk()
		require.NoError(t, checkGlob(pattern), pattern)
		var got []string
		for _, path := range d.glob(filepath.Join(dir, pattern)) {
			rel, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			got = append(got, rel)
		}
		assert.Equal(t, strings.Fields(want), append([]string{}, got...), pattern)
	}
	for _, bad := range []string{"[", "a/[b", `a\`, "**", "a/**/b"} {
		assert.Error(t, checkGlob(bad), bad)
	}
}

func TestDiskReadsOnce(t *testing.T) {
	dir := write(t, map[string]string{"a": "1", "b": "1"})
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	d := newDisk()
	src, err := d.read(a)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(a, []byte("2"), 0o644))
	d.freeze()
	again, err := d.read(a)
	require.NoError(t, err)
	assert.Equal(t, src, again)
	_, err = d.read(b)
	assert.Error(t, err, "what was not read before")
	assert.Len(t, d.all(), 1)
}
