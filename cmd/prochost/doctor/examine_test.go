package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sound are surroundings in which nothing is wrong.
func sound() Facts {
	return Facts{
		Version: "0.3.0", System: "linux/amd64", Shell: []string{"bash", "-c"}, ShellPath: "/usr/bin/bash",
		OpenFiles: 1 << 20, Processes: Unlimited, Watches: 65536, Instances: 128,
		State:      Folder{Path: "/home/me/.local/state/prochost", Free: 20 << 30, Full: 3},
		RuntimeEnv: "/run/user/1000", Socket: "/run/user/1000/prochost/1f0c.sock",
		Project: "/src/shop", Recipe: "/src/shop/prochost.lua", Host: Host{Runs: true, Version: "0.3.0"},
	}
}

func TestNothingIsWrong(t *testing.T) {
	for _, f := range Examine(sound()) {
		assert.Equal(t, "ok", f.State, "%+v", f)
		assert.Empty(t, f.Help)
	}
	assert.True(t, Healthy(Examine(sound())))
}

func TestExamine(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(f *Facts)
		want   view.Finding // Words: a part of them
	}{
		"no shell":          {func(f *Facts) { f.ShellPath = "" }, view.Finding{What: "shell", State: "bad", Words: "neither bash nor sh"}},
		"sh alone":          {func(f *Facts) { f.ShellPath = "/bin/sh" }, view.Finding{What: "shell", State: "ok", Words: "/bin/sh, as there is no bash"}},
		"few files":         {func(f *Facts) { f.OpenFiles = 256 }, view.Finding{What: "open files", State: "warn", Words: "the limit is 256"}},
		"enough files":      {func(f *Facts) { f.OpenFiles = 1024 }, view.Finding{What: "open files", State: "ok", Words: "the limit is 1024"}},
		"few processes":     {func(f *Facts) { f.Processes = 100 }, view.Finding{What: "processes", State: "warn", Words: "the limit is 100"}},
		"few watches":       {func(f *Facts) { f.Watches = 100 }, view.Finding{What: "file watches", State: "warn", Words: "100 watches and 128 instances"}},
		"few instances":     {func(f *Facts) { f.Instances = 8 }, view.Finding{What: "file watches", State: "warn", Words: "65536 watches and 8 instances"}},
		"no /proc":          {func(f *Facts) { f.Proc = errors.New("/proc is not mounted") }, view.Finding{What: "system", State: "bad", Words: "/proc is not mounted"}},
		"no pidfd":          {func(f *Facts) { f.Pidfd = errors.New("function not implemented") }, view.Finding{What: "system", State: "warn", Words: "function not implemented"}},
		"state of another":  {func(f *Facts) { f.State.Err = errors.New("/s belongs to user 0") }, view.Finding{What: "state", State: "bad", Words: "/s belongs to user 0"}},
		"little disk":       {func(f *Facts) { f.State.Free = 500 << 20 }, view.Finding{What: "disk", State: "warn", Words: "500 MiB are free"}},
		"no disk":           {func(f *Facts) { f.State.Free = 1 << 20 }, view.Finding{What: "disk", State: "bad", Words: "1 MiB are free"}},
		"no entries":        {func(f *Facts) { f.State.Full = 99 }, view.Finding{What: "disk", State: "warn", Words: "99 % of its entries"}},
		"long socket":       {func(f *Facts) { f.SocketErr = errors.New("every path is longer than 107 bytes") }, view.Finding{What: "socket", State: "bad", Words: "107"}},
		"socket of another": {func(f *Facts) { f.SocketDir.Err = errors.New("/r belongs to user 0") }, view.Finding{What: "socket", State: "bad", Words: "/r belongs"}},
		"foreign runtime":   {func(f *Facts) { f.Socket = "/home/me/.local/state/prochost/1f0c.sock" }, view.Finding{What: "socket", State: "warn", Words: "no folder of this user"}},
		"no runtime": {func(f *Facts) { f.RuntimeEnv, f.Socket = "", "/home/me/.local/state/prochost/1f0c.sock" }, view.Finding{
			What: "socket", State: "ok", Words: "/home/me/.local/state/prochost/1f0c.sock"}},
		"no host":      {func(f *Facts) { f.Host = Host{} }, view.Finding{What: "host", State: "ok", Words: "none runs for /src/shop"}},
		"no recipe":    {func(f *Facts) { f.Host, f.Recipe = Host{}, "" }, view.Finding{What: "host", State: "ok", Words: "which has no recipe"}},
		"silent host":  {func(f *Facts) { f.Host = Host{Err: errors.New("the host does not answer")} }, view.Finding{What: "host", State: "bad", Words: "does not answer"}},
		"another host": {func(f *Facts) { f.Host.Version = "0.2.0" }, view.Finding{What: "host", State: "warn", Words: "runs prochost 0.2.0, and this is 0.3.0"}},
		"others": {func(f *Facts) {
			f.Others = []view.Host{{Project: "/src/shop", State: "silent"}, {Project: "/a", State: "ready"}, {Project: "/b", State: "stopping"}}
		}, view.Finding{What: "other hosts", State: "ok", Words: "2 hosts"}},
		"a silent one": {func(f *Facts) { f.Others = []view.Host{{Project: "/a", PID: 7, State: "silent"}} }, view.Finding{What: "other hosts", State: "warn", Words: "do not answer: /a (process 7)"}},
		"killed ones":  {func(f *Facts) { f.Others = []view.Host{{Project: "/a", State: "gone"}, {Project: "/b", State: "gone"}} }, view.Finding{What: "other hosts", State: "ok", Words: "2 were killed"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := sound()
			tt.change(&f)
			found := Examine(f)
			some := false
			for _, got := range found {
				switch {
				case got.What == tt.want.What:
					some = true
					assert.Equal(t, tt.want.State, got.State)
					assert.Contains(t, got.Words, tt.want.Words)
					assert.Equal(t, got.State != "ok", got.Help != "", "what is wrong can be mended")
				default:
					assert.Equal(t, "ok", got.State, "%+v", got)
				}
			}
			assert.True(t, some)
			assert.Equal(t, tt.want.State != "bad", Healthy(found))
		})
	}
}

func TestNoInotifyIsNoFault(t *testing.T) {
	f := sound()
	f.Watches, f.Instances = -1, -1
	for _, got := range Examine(f) {
		assert.NotEqual(t, "file watches", got.What)
	}
}

func TestLook(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(dir, link))
	for path, want := range map[string]string{
		dir:                                 "",
		filepath.Join(dir, "new", "folder"): "",
		file:                                "is a link, or no folder",
		link:                                "is a link, or no folder",
		filepath.Join(file, "below"):        "is no folder",
	} {
		f := Facts{Shell: []string{"sh"}, State: Folder{Path: path}}
		f.Look()
		if want == "" {
			assert.NoError(t, f.State.Err, path)
			assert.NotZero(t, f.State.Free, path)
		} else {
			assert.ErrorContains(t, f.State.Err, want, path)
		}
		assert.NotEmpty(t, f.ShellPath)
		assert.NotZero(t, f.OpenFiles)
		assert.NoDirExists(t, filepath.Join(dir, "new"), "it only looks")
	}
}
