package filewatch

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// fake is a source that tells what a test makes it tell.
type fake struct {
	mu     sync.Mutex
	refuse func(dir string) error // of Add; nil: none
	open   error                  // of opening
	dirs   map[string]bool
	opened int
	calls  int // of any kind

	events chan fsnotify.Event
	errors chan error
}

func (f *fake) source() (source, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.open != nil {
		return source{}, f.open
	}
	f.opened++
	f.dirs = map[string]bool{}
	f.events, f.errors = make(chan fsnotify.Event), make(chan error)
	return source{notifier: f, events: f.events, errors: f.errors}, nil
}

func (f *fake) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	var err error
	if f.refuse != nil {
		err = f.refuse(dir)
	}
	f.dirs[dir] = true // also on error: kqueue may have opened half of it
	return err
}

func (f *fake) Remove(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if !f.dirs[dir] {
		return fsnotify.ErrNonExistentWatch
	}
	delete(f.dirs, dir)
	return nil
}

func (f *fake) Close() error { return nil }

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

func (f *fake) openings() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.opened
}

func (f *fake) watched() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.dirs))
}

func (f *fake) channels() (chan fsnotify.Event, chan error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events, f.errors
}

func (f *fake) event(path string, op fsnotify.Op) {
	events, _ := f.channels()
	events <- fsnotify.Event{Name: path, Op: op}
}

func (f *fake) write(path string) { f.event(path, fsnotify.Write) }

func (f *fake) fail(err error) {
	_, errs := f.channels()
	errs <- err
}

// above returns the directories from the root down to dir.
func above(dir string) (dirs []string) {
	for ; dir != "/"; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	dirs = append(dirs, "/")
	slices.Sort(dirs)
	return dirs
}

// everything is a system in which all can be watched.
func everything() *system {
	return &system{
		everyDir: true,
		exact:    true,
		silent:   func(string) string { return "" },
		remedy: func(err error) string {
			if errors.Is(err, errFull) {
				return "raise the limit"
			}
			return ""
		},
	}
}

var errFull = errors.New("limit reached")
