package filewatch

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// habit is one way in which a tracked path comes to hold something else, or the same in the end.
type habit struct {
	name    string
	path    string      // tracked
	setup   func(d dir) // before it is tracked
	act     func(d dir)
	again   func(d dir) // a second change; default: path is written in place
	deep    bool        // needs watches above the directory of the file
	another []string    // tracked as well
}

func one(d dir) { d.write("dev.lua", "one") }

// habits change the content: each is one report, and the path is still watched afterwards.
var habits = []habit{
	{name: "truncate and write", setup: one, act: func(d dir) { d.write("dev.lua", "two") }},
	{name: "append in chunks", setup: one, act: func(d dir) {
		f, err := os.OpenFile(d.at("dev.lua"), os.O_WRONLY|os.O_TRUNC, 0)
		require.NoError(d.t, err)
		for range 8 {
			f.WriteString("chunk")
		}
		require.NoError(d.t, f.Close())
	}},
	{name: "write of a shorter text", setup: one, act: func(d dir) {
		require.NoError(d.t, os.Truncate(d.at("dev.lua"), 1))
	}},
	{name: "temporary file and rename", setup: one, act: func(d dir) { d.save("dev.lua", "two") }},
	{name: "remove and create", setup: one, act: func(d dir) { d.remove("dev.lua"); d.write("dev.lua", "two") }},
	{name: "backup by rename, then create", setup: one, act: func(d dir) {
		d.rename("dev.lua", "dev.lua~")
		d.write("dev.lua", "two")
		d.remove("dev.lua~")
	}},
	{name: "swap file beside a write in place", setup: one, act: func(d dir) {
		d.write(".dev.lua.swp", "x")
		d.write("dev.lua", "two")
		d.remove(".dev.lua.swp")
	}},
	{name: "sed -i", setup: one, act: func(d dir) {
		out, err := exec.Command("sed", "-i.bak", "-e", "s/one/two/", d.at("dev.lua")).CombinedOutput()
		require.NoError(d.t, err, string(out))
	}},
	{name: "same size and times set back", setup: one, act: func(d dir) {
		info, err := os.Stat(d.at("dev.lua"))
		require.NoError(d.t, err)
		d.write("dev.lua", "two")
		require.NoError(d.t, os.Chtimes(d.at("dev.lua"), info.ModTime(), info.ModTime()))
	}},
	{name: "created", act: func(d dir) { d.write("dev.lua", "two") }},
	{name: "created by rename", act: func(d dir) { d.save("dev.lua", "two") }},
	{name: "removed", setup: one, act: func(d dir) { d.remove("dev.lua") }},
	{name: "renamed away", setup: one, act: func(d dir) { d.rename("dev.lua", "old.lua") }},
	{name: "name in upper case letters", path: "Dev.LUA",
		setup: func(d dir) { d.write("Dev.LUA", "one") }, act: func(d dir) { d.write("Dev.LUA", "two") }},
	{name: "name beyond ASCII", path: "rezept-für-dev.lua",
		setup: func(d dir) { d.write("rezept-für-dev.lua", "one") }, act: func(d dir) { d.save("rezept-für-dev.lua", "two") }},
	{name: "becomes a directory", setup: one, act: func(d dir) { d.remove("dev.lua"); d.mkdir("dev.lua") },
		again: func(d dir) { d.write("dev.lua/x", "") }},

	{name: "data directory of a mounted volume swapped", path: "dev.lua",
		setup: func(d dir) {
			d.mkdir("..v1")
			d.write("..v1/dev.lua", "one")
			d.link("..v1", "..data")
			d.link("..data/dev.lua", "dev.lua")
		},
		act: func(d dir) {
			d.mkdir("..v2")
			d.write("..v2/dev.lua", "two")
			d.link("..v2", "..data_tmp")
			d.rename("..data_tmp", "..data")
			d.remove("..v1")
		}},
	{name: "target of a symlink edited", setup: elsewhere, act: func(d dir) { d.write("other/real.lua", "two") }},
	{name: "target of a symlink replaced", setup: elsewhere, act: func(d dir) { d.save("other/real.lua", "two") }},
	{name: "symlink replaced", setup: elsewhere, act: func(d dir) {
		d.write("other/new.lua", "two")
		d.link("other/new.lua", "tmp")
		d.rename("tmp", "dev.lua")
	}},
	{name: "symlink replaced by a file", setup: elsewhere, act: func(d dir) { d.save("dev.lua", "two") }},
	{name: "middle of a chain of symlinks replaced",
		setup: func(d dir) {
			d.mkdir("a")
			d.mkdir("b")
			d.write("b/one.lua", "one")
			d.write("b/two.lua", "two")
			d.link("../b/one.lua", "a/hop.lua")
			d.link(d.at("a/hop.lua"), "dev.lua")
		},
		act: func(d dir) {
			d.link("../b/two.lua", "a/tmp")
			d.rename("a/tmp", "a/hop.lua")
		}},
	{name: "target of a dangling symlink created",
		setup: func(d dir) { d.link("other/deep/real.lua", "dev.lua") },
		act:   func(d dir) { d.mkdir("other/deep"); d.write("other/deep/real.lua", "two") }},
	{name: "symlink to a directory on the way replaced", path: "current/dev.lua",
		setup: func(d dir) {
			d.mkdir("v1")
			d.write("v1/dev.lua", "one")
			d.mkdir("v2")
			d.write("v2/dev.lua", "two")
			d.link("v1", "current")
		},
		act: func(d dir) { d.link("v2", "tmp"); d.rename("tmp", "current") }},
	{name: "parent of a symlink's target", path: "link/../dev.lua",
		setup: func(d dir) {
			d.mkdir("real/sub")
			d.write("real/dev.lua", "one")
			d.link("real/sub", "link")
		},
		act:   func(d dir) { d.write("real/dev.lua", "two") },
		again: func(d dir) { d.save("real/dev.lua", "three") }},

	{name: "directory deleted and recreated", path: "p/dev.lua", setup: inP,
		act: func(d dir) { d.remove("p"); d.mkdir("p"); d.write("p/dev.lua", "two") }},
	{name: "directory deleted", path: "p/dev.lua", setup: inP,
		act:   func(d dir) { d.remove("p") },
		again: func(d dir) { d.mkdir("p"); d.write("p/dev.lua", "three") }},
	{name: "directory renamed away, another moved in", path: "p/dev.lua", setup: inP,
		act: func(d dir) {
			d.mkdir("q")
			d.write("q/dev.lua", "two")
			d.rename("p", "old")
			d.rename("q", "p")
		}},
	{name: "directory renamed away and removed, another moved in", path: "p/dev.lua", setup: inP,
		act: func(d dir) {
			d.mkdir("q")
			d.write("q/dev.lua", "two")
			d.rename("p", "old")
			d.remove("old")
			d.rename("q", "p")
		}},
	{name: "directory renamed away and back, edited meanwhile", path: "p/dev.lua", setup: inP,
		act: func(d dir) {
			d.rename("p", "old")
			d.write("old/dev.lua", "two")
			d.rename("old", "p")
		}},
	{name: "directory replaced by a symlink", path: "p/dev.lua", setup: inP,
		act: func(d dir) {
			d.mkdir("q")
			d.write("q/dev.lua", "two")
			d.rename("p", "old")
			d.link("q", "p")
		}},
	{name: "two directories above renamed away, others moved in", path: "p/q/r/dev.lua", deep: true,
		setup: func(d dir) { d.mkdir("p/q/r"); d.write("p/q/r/dev.lua", "one") },
		act: func(d dir) {
			d.mkdir("new/q/r")
			d.write("new/q/r/dev.lua", "two")
			d.rename("p", "old")
			d.rename("new", "p")
		}},
	{name: "two directories above renamed away", path: "p/q/r/dev.lua", deep: true,
		setup: func(d dir) { d.mkdir("p/q/r"); d.write("p/q/r/dev.lua", "one") },
		act:   func(d dir) { d.rename("p", "old") },
		again: func(d dir) { d.write("old/q/r/dev.lua", "two"); d.rename("old", "p") }},
	{name: "file right after its missing directories", path: "p/q/r/dev.lua",
		act: func(d dir) { d.mkdir("p/q/r"); d.write("p/q/r/dev.lua", "two") }},
	{name: "file where a directory was expected to be made", path: "p/dev.lua",
		setup: func(d dir) { d.write("p", "a file") },
		act:   func(d dir) { d.remove("p"); d.mkdir("p"); d.write("p/dev.lua", "two") }},

	{name: "name added to a directory", path: "conf.d", setup: confD,
		act: func(d dir) { d.write("conf.d/b.lua", "") }, again: func(d dir) { d.write("conf.d/c.lua", "") }},
	{name: "name removed from a directory", path: "conf.d", setup: confD,
		act: func(d dir) { d.remove("conf.d/a.lua") }, again: func(d dir) { d.write("conf.d/a.lua", "") }},
	{name: "name in a directory changed", path: "conf.d", setup: confD,
		act: func(d dir) { d.rename("conf.d/a.lua", "conf.d/b.lua") }, again: func(d dir) { d.remove("conf.d") }},
	{name: "directory created with names", path: "conf.d",
		act: func(d dir) { confD(d) }, again: func(d dir) { d.write("conf.d/b.lua", "") }},

	{name: "fifty files rewritten", path: "repo/dir0/file0", setup: func(d dir) { checkout(d, "one") },
		act: func(d dir) { checkout(d, "two") }, another: fifty()[1:]},
}

// nothings leave the content as it was.
var nothings = []habit{
	{name: "chmod", setup: one, act: func(d dir) { require.NoError(d.t, os.Chmod(d.at("dev.lua"), 0o755)) }},
	{name: "touch", setup: one, act: func(d dir) {
		require.NoError(d.t, os.Chtimes(d.at("dev.lua"), time.Now(), time.Now().Add(time.Hour)))
	}},
	{name: "same text in place", setup: one, act: one},
	{name: "same text by rename", setup: one, act: func(d dir) { d.save("dev.lua", "one") }},
	{name: "same text after removal", setup: one, act: func(d dir) { d.remove("dev.lua"); one(d) }},
	{name: "there and back", setup: one, act: func(d dir) { d.write("dev.lua", "two"); one(d) }},
	{name: "created and removed", act: func(d dir) { one(d); d.remove("dev.lua") }},
	{name: "symlink to the same text", setup: elsewhere, act: func(d dir) {
		d.write("other/new.lua", "one")
		d.link("other/new.lua", "tmp")
		d.rename("tmp", "dev.lua")
	}},
	{name: "directory moved away and back", path: "p/dev.lua", setup: inP,
		act: func(d dir) { d.rename("p", "old"); d.rename("old", "p") }},
	{name: "directory recreated with the same text", path: "p/dev.lua", setup: inP,
		act: func(d dir) { d.remove("p"); inP(d) }},
	{name: "name added and removed", path: "conf.d", setup: confD,
		act: func(d dir) { d.write("conf.d/b.lua", ""); d.remove("conf.d/b.lua") }, again: func(d dir) { d.write("conf.d/b.lua", "") }},
}

func elsewhere(d dir) {
	d.mkdir("other")
	d.write("other/real.lua", "one")
	d.link("other/real.lua", "dev.lua")
}

func inP(d dir) { d.mkdir("p"); d.write("p/dev.lua", "one") }

func confD(d dir) { d.mkdir("conf.d"); d.write("conf.d/a.lua", "") }

func fifty() (names []string) {
	for i := range 50 {
		names = append(names, fmt.Sprintf("repo/dir%d/file%d", i%5, i))
	}
	return names
}

// checkout rewrites fifty files as git does: by removal and re-creation.
func checkout(d dir, content string) {
	for i := range 5 {
		d.mkdir(fmt.Sprintf("repo/dir%d", i))
	}
	for _, name := range fifty() {
		os.Remove(d.at(name))
		d.write(name, content)
	}
}

// policies are the ways to watch of the systems there are; each of them works, with less, on each system
// that can do more.
func policies() map[string]system {
	p := map[string]system{"as here": local}
	if local.everyDir {
		few := local
		few.everyDir, few.exact = false, false
		p["few directories, vague events"] = few
	}
	return p
}

// batch bounds how many habits are tried at once: each takes one of the few watchers a user can have.
const batch = 30

// trial is a habit with all of it filled in, and the watcher that sees it.
type trial struct {
	habit
	dir
	probe *probe
}

// trials calls f with batches of habits, under each policy. What f does it does for the whole batch before the
// next thing, since almost all the time is spent waiting for rests.
func trials(t *testing.T, habits []habit, f func([]trial)) {
	for policy, sys := range policies() {
		n := 0
		for some := range slices.Chunk(habits, batch) {
			n++
			t.Run(fmt.Sprint(policy, "/", n), func(t *testing.T) {
				t.Parallel()
				var all []trial
				for _, h := range some {
					if !h.deep || sys.everyDir {
						all = append(all, try(t, h, sys))
					}
				}
				f(all)
			})
		}
	}
}

func try(t *testing.T, h habit, sys system) trial {
	d := newDir(t)
	if h.path == "" {
		h.path = "dev.lua"
	}
	path := d.path + "/" + h.path // not cleaned
	if h.setup != nil {
		h.setup(d)
	}
	if h.again == nil {
		h.again = func(d dir) { require.NoError(d.t, os.WriteFile(path, []byte("three"), 0o644)) }
	}
	paths := []string{path}
	for _, name := range h.another {
		paths = append(paths, d.at(name))
	}
	// Longer than a habit can take on a machine that is busy.
	p := watch(t, Options{Quiet: 300 * ms, Max: patience, system: &sys})
	p.track(paths...)
	require.Empty(t, p.notices, "watched, not polled: "+h.name)
	return trial{h, d, p}
}

func TestHabitsThatChangeContentAreReportedOnce(t *testing.T) {
	t.Parallel()
	trials(t, habits, func(all []trial) {
		for _, h := range all {
			h.act(h.dir)
			h.probe.silent("a report before it was over: " + h.name)
		}
		for _, h := range all {
			h.probe.changed(h.name)
		}
		for _, h := range all {
			h.again(h.dir)
		}
		for _, h := range all {
			h.probe.changed("the change after: " + h.name)
			assert.Equal(t, 2, h.probe.reports(), "reports of two changes: "+h.name)
		}
	})
}

func TestHabitsThatKeepContentAreNotReported(t *testing.T) {
	t.Parallel()
	trials(t, nothings, func(all []trial) {
		for _, h := range all {
			h.act(h.dir)
		}
		for _, h := range all {
			h.probe.unreported(h.name)
			h.probe.silent(h.name)
			h.again(h.dir)
		}
		for _, h := range all {
			h.probe.changed("the change after: " + h.name)
			assert.Equal(t, 1, h.probe.reports(), "reports of the only change: "+h.name)
		}
	})
}
