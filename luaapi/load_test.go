package luaapi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLoad loads what the archives of testdata/load hold and compares the outcome with their last file.
func TestLoad(t *testing.T) {
	paths, err := filepath.Glob("testdata/load/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			want := ""
			files := map[string]string{}
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
				if f.Name == "want" {
					want = string(f.Data)
					return true
				}
				files[f.Name] = string(f.Data)
				return false
			})
			dir := write(t, files)
			p, listed, err := Load(context.Background(), testOptions(filepath.Join(dir, "prochost.lua")))
			var b strings.Builder
			if err != nil {
				fmt.Fprintln(&b, err)
			} else {
				defer p.Close()
				for _, one := range p.Recipe().Processes {
					b.WriteString(dump(one))
				}
			}
			for _, f := range listed {
				b.WriteString(dumpFile(f))
			}
			got := strings.ReplaceAll(b.String(), dir, "DIR")
			if *update {
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
				require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
			}
			if !*update {
				assert.Equal(t, want, got)
			}
		})
	}
}

// dump writes what is set of p.
func dump(p recipe.Process) string {
	var b strings.Builder
	word := "process"
	if p.Job {
		word = "job"
	}
	fmt.Fprintf(&b, "%s %q (%s)\n", word, p.Name, p.Where)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %s: %s\n", name, fmt.Sprintf(format, args...))
	}
	if p.Run.Command != "" {
		line("command", "%q by %q", p.Run.Command, p.Run.Shell)
	} else {
		line("command", "%q, shell %q", p.Run.Argv, p.Run.Shell)
	}
	line("dir", "%s", p.Run.Dir)
	line("env", "%q", p.Run.Env)
	if p.Run.Stdin != 0 {
		line("stdin", "%d", p.Run.Stdin)
	}
	if p.Run.PTY {
		line("pty", "true")
	}
	if p.Description != "" {
		line("description", "%q", p.Description)
	}
	if n := p.Notify; n.OnSuccess+n.OnFailure+n.OnKilled != notify.Unset {
		line("notify", "success %q, failure %q, killed %q", n.OnSuccess, n.OnFailure, n.OnKilled)
	}
	for _, m := range p.Notify.LogMatches {
		line("matcher", "%q %v, %v, repeat %v, %v", m.Pattern, m.Mode, m.Stream, m.Repeat, m.On)
	}
	if p.Words {
		line("words", "its own")
	}
	if r := p.Restart; r != recipe.DefaultRestart(recipe.Never) {
		line("restart", "%v after %v ×%v up to %v, %d in a row, healthy after %v", r.On, r.Delay, r.Backoff, r.MaxDelay, r.Max, r.Healthy)
	}
	if p.Stop.Signal != 0 || p.Stop.Grace != 0 {
		line("stop", "%q, %v", notify.SignalName(p.Stop.Signal), p.Stop.Grace)
	}
	if p.Stop.ParentOnly {
		line("stop", "of the parent only")
	}
	if p.Stop.Command != nil {
		line("stop", "by %q", p.Stop.Command)
	}
	if p.Leftovers != proc.EndLeftovers {
		line("leftovers", "kept")
	}
	if !p.Auto {
		line("auto", "false")
	}
	for _, d := range p.Depends {
		line("depends", "%s %v", d.Name, d.Condition)
	}
	if p.Ready != nil {
		line("ready", "%q %v", p.Ready.Log, p.Ready.Mode)
	}
	if p.SuccessCodes != nil {
		line("successCodes", "%v", p.SuccessCodes)
	}
	if p.Log != (recipe.Log{}) {
		line("log", "%d bytes in %d files", p.Log.Cap, p.Log.Keep)
	}
	if p.TurnDelivery != 0 {
		line("turnDelivery", "%d", p.TurnDelivery)
	}
	return b.String()
}

func dumpFile(f File) string {
	what := "file " + f.Path
	if f.Pattern != "" {
		what = fmt.Sprintf("directory %s %q", f.Path, f.Pattern)
	}
	if f.Missing {
		what += " (missing)"
	}
	return what + "\n"
}
