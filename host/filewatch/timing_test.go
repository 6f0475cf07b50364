package filewatch

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = time.Millisecond

// in runs f in a bubble of its own time, with a watcher of the default options over a fake source. It tracks
// dev.lua, which holds "one".
func in(t *testing.T, f func(t *testing.T, d dir, fake *fake, p *probe)) {
	synctest.Test(t, func(t *testing.T) {
		d := newDir(t)
		d.write("dev.lua", "one")
		fake := &fake{}
		p := watch(t, Options{open: fake.source, system: everything()})
		p.track(d.at("dev.lua"))
		f(t, d, fake, p)
	})
}

// reported returns how long it takes from now to a report.
func (p *probe) reported(what string) time.Duration {
	p.t.Helper()
	start := time.Now()
	p.changed(what)
	return time.Since(start)
}

// never lets a minute pass without a report.
func (p *probe) never(what string) {
	p.t.Helper()
	time.Sleep(time.Minute)
	synctest.Wait()
	p.silent(what)
}

func TestReportComesAfterARestOf150ms(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.write("dev.lua", "")
		for range 8 {
			fake.write(d.at("dev.lua"))
			time.Sleep(140 * ms)
			p.silent("between two chunks")
		}
		d.write("dev.lua", "two")
		fake.write(d.at("dev.lua"))
		assert.Equal(t, 150*ms, p.reported("the whole file"))
		p.never("about one burst")
	})
}

func TestBurstWithoutRestIsReportedAfter2s(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.write("dev.lua", "two")
		go func() {
			for range 100 {
				fake.write(d.at("dev.lua"))
				time.Sleep(100 * ms)
			}
		}()
		assert.Equal(t, 2*time.Second, p.reported("at most"))
		p.never("the rest of the burst changed nothing")
	})
}

func TestNoiseBesideAFileDoesNotDelayItsReport(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		go func() {
			for range 100 {
				fake.write(d.at("server.log"))
				time.Sleep(50 * ms)
			}
		}()
		time.Sleep(time.Second)
		d.write("dev.lua", "two")
		fake.write(d.at("dev.lua"))
		assert.Equal(t, 150*ms, p.reported("beside a growing log"))
		time.Sleep(time.Minute)
		assert.Equal(t, 1, p.reports(), "looks that reported")
		assert.Empty(t, p.settled, "looks because of the log")
	})
}

func TestDirectoryThatAppearsIsGivenAnotherRest(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		p.track(d.at("p/q/dev.lua"))
		d.mkdir("p/q")
		d.write("p/q/dev.lua", "half")
		fake.event(d.at("p"), fsnotify.Create)
		time.Sleep(151 * ms) // what is written meanwhile is not seen
		d.write("p/q/dev.lua", "whole")
		fake.write(d.at("p/q/dev.lua"))
		assert.Equal(t, 150*ms, p.reported("the whole file"))
		p.never("about one burst")
		assert.Equal(t, above(d.at("p/q")), fake.watched())
	})
}

func TestContentThatWasReportedIsNotReportedAgain(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		change := func(content string) {
			d.write("dev.lua", content)
			fake.write(d.at("dev.lua"))
		}
		change("broken")
		p.changed("the first time")
		change("broken")
		p.never("reported already")
		change("one")
		p.changed("tracked, but not what was reported last")
		change("one")
		p.never("reported already")
	})
}

func TestReportsCoalesce(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		for _, content := range []string{"two", "three"} {
			d.write("dev.lua", content)
			fake.write(d.at("dev.lua"))
			time.Sleep(time.Second)
		}
		synctest.Wait()
		assert.Equal(t, 2, p.reports())
		p.changed("one for both")
		p.silent("the second")
	})
}

func TestTrackReportsWhatChangedSinceItWasRead(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		read := Fingerprint(d.at("dev.lua"))
		d.write("dev.lua", "two")
		p.Track([]File{read})
		assert.Equal(t, 150*ms, p.reported("changed between the reading and Track"))
		p.Track([]File{read})
		assert.Equal(t, 150*ms, p.reported("the caller still holds the old text"))
		p.Track([]File{{Path: read.Path, Missing: true, Hash: read.Hash}})
		assert.Equal(t, 150*ms, p.reported("created since"))
		p.track(read.Path)
		p.never("nothing changed since")
		p.Track([]File{{Path: d.at("absent"), Missing: true, Hash: read.Hash}})
		p.never("what is missing has no hash")
	})
}

func TestTrackWithdrawsAReportAboutTheEarlierSet(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.write("dev.lua", "two")
		fake.write(d.at("dev.lua"))
		time.Sleep(time.Second)
		p.track(d.at("dev.lua"))
		p.silent("the caller has read it")
		p.never("the caller has read it")
	})
}

func TestTrackedPathThatLeavesTheSetIsNotWatched(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.mkdir("p")
		d.write("p/x", "")
		p.track(d.at("dev.lua"), d.at("p/x"))
		assert.Equal(t, above(d.at("p")), fake.watched())
		p.track(d.at("dev.lua"))
		assert.Equal(t, above(d.path), fake.watched())
		d.write("p/x", "other")
		fake.write(d.at("dev.lua"))
		p.never("changed, but not tracked")
		p.Track(nil)
		assert.Empty(t, fake.watched())
	})
}

// The file changes without an event: it must be found by the look that follows.
func TestTroubleIsFollowedByALookAndAllWatchesMadeAgain(t *testing.T) {
	for name, c := range map[string]struct {
		trouble func(*fake)
		opened  int
	}{
		"overflow":       {func(f *fake) { f.fail(fsnotify.ErrEventOverflow) }, 1},
		"another error":  {func(f *fake) { f.fail(errors.New("invalid argument")) }, 2},
		"events end":     {func(f *fake) { events, _ := f.channels(); close(events) }, 2},
		"errors end":     {func(f *fake) { _, errs := f.channels(); close(errs) }, 2},
		"error on error": {func(f *fake) { f.fail(errors.New("bad")); time.Sleep(time.Second); f.fail(errors.New("bad")) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
				fake.set(func() { clear(fake.dirs) }) // it lost them all
				c.trouble(fake)
				d.write("dev.lua", "two")
				p.changed("without an event")
				assert.Equal(t, above(d.path), fake.watched())
				assert.Equal(t, c.opened, fake.openings(), "sources opened")
				assert.Empty(t, p.notices)

				d.write("dev.lua", "three")
				fake.write(d.at("dev.lua"))
				p.changed("still watching")
			})
		})
	}
}

func TestSourceThatOnlyFailsIsAskedOnceABurst(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		for range 10 {
			_, errs := fake.channels()
			errs <- errors.New("bad file descriptor")
			select {
			case errs <- errors.New("bad file descriptor"):
				require.FailNow(t, "it listens to a source that is broken")
			case <-time.After(149 * ms):
			}
			time.Sleep(time.Second)
			synctest.Wait()
		}
		assert.Equal(t, 11, fake.opened)
	})
}

func TestIdleWatcherDoesNothing(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.write("dev.lua", "two")
		fake.write(d.at("dev.lua"))
		p.changed("awake once")
		synctest.Wait()
		before := fake.count()
		assert.False(t, armed(p), "a timer is armed")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		assert.Equal(t, before, fake.count(), "calls of the system in a day")
		assert.False(t, armed(p), "a timer is armed")
	})
}

// armed reports whether the watcher waits for a time. The bubble must be at rest.
func armed(p *probe) bool {
	_, ok := earliest(p.burst.Deadline, p.polls.Deadline)
	return ok || p.timer.Stop()
}

func TestEarliest(t *testing.T) {
	never := func() (time.Time, bool) { return time.Time{}, false }
	at := func(s int64) func() (time.Time, bool) {
		return func() (time.Time, bool) { return time.Unix(s, 0), true }
	}
	for _, c := range []struct {
		a, b func() (time.Time, bool)
		want int64 // 0: none
	}{{never, never, 0}, {at(1), never, 1}, {never, at(1), 1}, {at(1), at(2), 1}, {at(2), at(1), 1}} {
		got, ok := earliest(c.a, c.b)
		assert.Equal(t, c.want != 0, ok)
		if ok {
			assert.Equal(t, c.want, got.Unix())
		}
	}
}

func TestCloseEndsABurstAndMayBeRepeated(t *testing.T) {
	in(t, func(t *testing.T, d dir, fake *fake, p *probe) {
		d.write("dev.lua", "two")
		fake.write(d.at("dev.lua"))
		p.Close()
		p.Close()
		p.track(d.at("dev.lua"))
		p.never("closed")
	})
}
