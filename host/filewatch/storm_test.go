package filewatch

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The queue of the system overflows while the watcher is held up; the event of the change is among those lost.
func TestChangeInABurstThatOverflowsTheQueue(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	one(d)
	d.write("empty", "")

	held, release := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	p := New(Options{settled: func(bool) {
		if first.CompareAndSwap(false, true) {
			close(held)
			<-release
		}
	}})
	t.Cleanup(p.Close)
	p.Track([]File{Fingerprint(d.at("dev.lua"))})
	d.write("dev.lua", "two")
	<-held
	for i := range 20_000 {
		require.NoError(t, os.Link(d.at("empty"), d.at(fmt.Sprint("file", i))))
	}
	d.write("dev.lua", "three")
	close(release)
	for _, what := range []string{"before the burst", "after it"} {
		select {
		case <-p.Changes():
		case <-time.After(patience):
			require.FailNow(t, "no report", what)
		}
	}
}

func TestRelativePathIsThatOfTheDirectoryItWasTrackedIn(t *testing.T) {
	d := newDir(t)
	d.mkdir("real/sub")
	d.link("real/sub", "link")
	d.write("real/dev.lua", "one")
	p := watch(t, Options{Quiet: ms})
	t.Chdir(d.path)
	p.track("link/../dev.lua")
	t.Chdir("/")
	for _, text := range []string{"two", "three"} {
		d.write("real/dev.lua", text)
		p.changed(text)
	}
}

// Whatever is written when, the reader ends with the last text: a change between its reading and its Track is
// reported like any other.
func TestReaderEndsWithTheLastText(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	inP(d)
	path := d.at("p/dev.lua")
	p := watch(t, Options{Quiet: ms, Max: 5 * ms})

	read := func() string {
		f := Fingerprint(path)
		b, _ := os.ReadFile(path) // may be newer than the fingerprint, never older
		p.Track([]File{f})
		return string(b)
	}
	read()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 300 {
			text := fmt.Sprint("text ", i)
			var err error
			switch i % 5 {
			case 0:
				err = os.WriteFile(path, []byte(text), 0o644)
			case 1:
				err = errors.Join(os.WriteFile(path+".tmp", []byte(text), 0o644), os.Rename(path+".tmp", path))
			case 2:
				err = errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o644))
			case 3:
				err = errors.Join(os.RemoveAll(d.at("p")), os.Mkdir(d.at("p"), 0o755), os.WriteFile(path, []byte(text), 0o644))
			case 4:
				err = errors.Join(os.Rename(d.at("p"), d.at("old")), os.Mkdir(d.at("p"), 0o755),
					os.WriteFile(path, []byte(text), 0o644), os.RemoveAll(d.at("old")))
			}
			assert.NoError(t, err)
		}
	}()
	defer func() { <-done }()
	for text := ""; text != "text 299"; text = read() {
		p.changed("after reading " + text)
	}
}
