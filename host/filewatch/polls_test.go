package filewatch

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The source loses what it needs; the file is polled; the source recovers; the file is watched.
func TestPathsThatCannotBeWatchedArePolled(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(f *fake, d dir)
		notice func(d dir) string
	}{
		"no watch to be had": {
			func(f *fake, d dir) { f.refuse = func(string) error { return errFull } },
			func(d dir) string { return `polling files every 1s: watch "/": limit reached; raise the limit` },
		},
		"no watch for one directory": {
			func(f *fake, d dir) {
				f.refuse = func(dir string) error {
					if dir == d.at("p") {
						return fmt.Errorf("add: %w", syscall.EACCES)
					}
					return nil
				}
			},
			func(d dir) string {
				return fmt.Sprintf("polling files every 1s: watch %q: permission denied", d.at("p"))
			},
		},
		"no source": {
			func(f *fake, d dir) { f.open = errFull },
			func(d dir) string {
				return "polling files every 1s: watch files: limit reached; raise the limit"
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDir(t)
				inP(d)
				fake := &fake{}
				c.spoil(fake, d)
				p := watch(t, Options{open: fake.source, system: everything()})
				p.track(d.at("p/dev.lua"))
				assert.Equal(t, c.notice(d), p.notice())

				d.write("p/dev.lua", "two")
				assert.Equal(t, time.Second+150*ms, p.reported("a poll and a rest"))
				p.never("nothing changed")
				d.write("p/dev.lua", "three")
				p.changed("polled again")
				assert.Empty(t, p.notices, "one notice, however long it lasts")

				assert.NotContains(t, fake.watched(), d.at("p"))
				d.write("p/dev.lua", "four") // seen by the poll that finds watching possible
				fake.set(func() { fake.refuse, fake.open = nil, nil })
				p.changed("the last poll")
				assert.Equal(t, "watching files again, without polling", p.notice())
				assert.Equal(t, above(d.at("p")), fake.watched())

				synctest.Wait()
				before := fake.count()
				p.never("nothing changed")
				assert.Equal(t, before, fake.count(), "calls of the system while idle")
				assert.False(t, armed(p), "a timer is armed")
				d.write("p/dev.lua", "five")
				fake.write(d.at("p/dev.lua"))
				assert.Equal(t, 150*ms, p.reported("watched"))
				assert.Empty(t, p.notices)

				fake.set(func() { c.spoil(fake, d) })
				fake.fail(errFull)
				assert.Equal(t, c.notice(d), p.notice(), "told again")
			})
		})
	}
}

func TestPolledFileIsReportedWhenItRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDir(t)
		one(d)
		fake := &fake{open: errFull}
		p := watch(t, Options{open: fake.source, system: everything()})
		p.track(d.at("dev.lua"))
		time.Sleep(999 * ms)
		for i := range 10 { // across the poll and the rests after it, without an event
			d.write("dev.lua", fmt.Sprint("chunk", i))
			time.Sleep(100 * ms)
			p.silent("between two chunks")
		}
		p.changed("the whole file")
		p.never("about one burst")
	})
}

func TestOnlyWhatCannotBeWatchedIsPolled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDir(t)
		inP(d)
		one(d)
		sys := everything()
		sys.silent = func(dir string) string {
			if dir == d.at("p") {
				return "nfs"
			}
			return ""
		}
		fake := &fake{}
		p := watch(t, Options{open: fake.source, system: sys})
		p.track(d.at("dev.lua"), d.at("p/dev.lua"))
		assert.Equal(t, fmt.Sprintf("polling files every 1s: watch %q: "+
			"the file system (nfs) does not tell of changes made elsewhere", d.at("p")), p.notice())

		synctest.Wait()
		before := fake.count()
		d.write("dev.lua", "two")
		p.never("no event, and not polled")
		assert.Equal(t, p.paths[0].told, p.paths[0].seen.file, "it was not even read")
		assert.Equal(t, before, fake.count(), "watching is not tried again where that cannot help")
		d.write("p/dev.lua", "two")
		p.changed("polled")
		d.write("p/dev.lua", "three")
		fake.write(d.at("p/dev.lua"))
		assert.Equal(t, 300*ms, p.reported("watched as well; a rest to see it, another to see that it rests"))

		p.track(d.at("dev.lua"))
		assert.Equal(t, "watching files again, without polling", p.notice())
		assert.Empty(t, p.notices)
		synctest.Wait()
		assert.False(t, armed(p), "a timer is armed")
	})
}

func TestEachCauseIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDir(t)
		var paths []string
		for i := range 9 {
			d.mkdir(fmt.Sprint("p", i))
			paths = append(paths, d.at(fmt.Sprintf("p%d/dev.lua", i)))
		}
		fake := &fake{}
		fake.refuse = func(dir string) error {
			if name := filepath.Base(dir); len(name) == 2 && name[0] == 'p' {
				return []error{syscall.EACCES, errFull}[name[1]%2]
			}
			return nil
		}
		p := watch(t, Options{open: fake.source, system: everything()})
		p.track(paths...)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, p.notices, 2)
		assert.Contains(t, p.notice(), `/p0": permission denied`)
		assert.Contains(t, p.notice(), `/p1": limit reached; raise the limit`)
	})
}

// A limit that is reached must not outlive the watches that used it up.
func TestWatchesThatAreNotNeededMakeRoom(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.mkdir("p")
		d.mkdir("q")
		p.track(d.at("p/dev.lua"))
		room := len(fake.watched())
		fake.set(func() {
			fake.refuse = func(dir string) error {
				if !fake.dirs[dir] && len(fake.dirs) >= room {
					return errFull
				}
				return nil
			}
		})
		p.track(d.at("q/dev.lua"))
		assert.Equal(t, above(d.at("q")), fake.watched())
		assert.Empty(t, p.notices)
	})
}

// A directory renamed away and back has the identity it had, and no watch.
func TestWatchLostByAMoveIsMissedAndMade(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		inP(d)
		p.track(d.at("p/dev.lua"))
		fake.set(func() { delete(fake.dirs, d.at("p")) })
		fake.event(d.at("p"), fsnotify.Rename)
		time.Sleep(100 * ms)
		d.write("p/dev.lua", "half") // unseen
		time.Sleep(100 * ms)
		d.write("p/dev.lua", "two")
		fake.write(d.at("p/dev.lua"))
		assert.Equal(t, 150*ms, p.reported("after another rest"))
		assert.Equal(t, above(d.at("p")), fake.watched())
	})
}
