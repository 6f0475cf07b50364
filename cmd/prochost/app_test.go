package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUseColor(t *testing.T) {
	for _, tt := range []struct {
		flag     string
		terminal bool
		env      string
		want     bool
	}{
		{"auto", true, "", true},
		{"auto", false, "", false},
		{"auto", true, "NO_COLOR=1", false},
		{"auto", true, "NO_COLOR=", true},
		{"auto", true, "TERM=dumb", false},
		{"auto", true, "TERM=xterm", true},
		{"always", false, "NO_COLOR=1", true},
		{"never", true, "", false},
		{"", true, "", true},
	} {
		a := &app{environ: []string{tt.env}}
		assert.Equal(t, tt.want, useColor(tt.flag, tt.terminal, a.getenv), "%+v", tt)
	}
}

func TestGetenv(t *testing.T) {
	a := &app{environ: []string{"A=1", "AB=2", "A=3=4", "C"}}
	assert.Equal(t, "3=4", a.getenv("A"))
	assert.Equal(t, "", a.getenv("B"))
	assert.Equal(t, "", a.getenv("C"))
}

func TestReleaseOf(t *testing.T) {
	for module, want := range map[string]string{
		"(devel)": "devel",
		"":        "devel",
		"v0.0.0-20261130215700-0123456789ab+dirty": "devel",
		"v0.3.0":                               "0.3.0",
		"v1.0.0-rc1":                           "1.0.0-rc1",
		"v0.3.1-0.20261130215700-0123456789ab": "0.3.1-0.20261130215700-0123456789ab",
	} {
		assert.Equal(t, want, releaseOf(module), module)
	}
}

func TestCodeOf(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{&luaapi.Errors{}, 1},
		{&badUse{errors.New("x")}, 2},
		{fmt.Errorf("%q: %w", "x", host.ErrUnknownName), 4},
		{&failure{code: 137}, 137},
		{fmt.Errorf("around: %w", &failure{code: 3, err: errors.New("x")}), 3},
	} {
		assert.Equal(t, tt.want, codeOf(tt.err), "%v", tt.err)
	}
}

func TestExitOn(t *testing.T) {
	for word, want := range map[string]stack.ExitOn{
		"":        {},
		"any":     {Any: true},
		"failure": {Failure: true},
		"api":     {Name: "api"},
	} {
		assert.Equal(t, want, exitOn(word))
	}
}

// The shell is none that was looked for in vain.
func TestShell(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	assert.Equal(t, []string{"/bin/sh", "-c"}, shell())
	for _, name := range []string{"sh", "bash"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, nil, 0o755))
		assert.Equal(t, []string{path, "-c"}, shell())
	}
}

func TestWatchReader(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	gone := make(chan struct{})
	watchReader(w, func() { close(gone) })
	select {
	case <-gone:
		t.Fatal("the reader is there")
	default:
	}
	r.Close()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Fatal("the reader is gone and nobody says so")
	}
}

// Everything that can be said at the command line is explained.
func TestHelpIsComplete(t *testing.T) {
	a := &app{stdout: os.Stdout, stderr: os.Stderr}
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		assert.NotEmpty(t, cmd.Short, cmd.CommandPath())
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			assert.NotEmpty(t, f.Usage, "%s --%s", cmd.CommandPath(), f.Name)
		})
		for _, sub := range cmd.Commands() {
			look(sub)
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			assert.LessOrEqual(t, len([]rune(line)), 86, "%s: %q", cmd.CommandPath(), line)
		}
	}
	look(a.root())
}

// The recipe that help shows is one.
func TestHelpShowsARecipe(t *testing.T) {
	topic, err := topicTexts.ReadFile("topics/recipes.txt")
	require.NoError(t, err)
	code := regexp.MustCompile(`(?m)^\n((    .*)?\n)+`).Find(topic)
	require.NotEmpty(t, code)
	path := filepath.Join(t.TempDir(), recipeName)
	require.NoError(t, os.WriteFile(path, code, 0o600))
	p, _, err := luaapi.Load(t.Context(), luaapi.Options{Path: path, Shell: shell(), Version: "devel"})
	require.NoError(t, err)
	defer p.Close()
	assert.Len(t, p.Recipe().Processes, 3)
}
