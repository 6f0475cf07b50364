package filewatch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// path is a tracked path.
type path struct {
	name string  // absolute; not cleaned, because ".." after a symlink means what the system says
	told File    // what was tracked or reported last
	seen reading // what it held when it was last looked at

	unwatched error // why a change could go unnoticed
	unread    error // why seen may be old
	polled    bool  // as of the last look at all paths
}

// cause says why the path has to be polled; it is nil while watching it is enough.
func (p *path) cause() error {
	if p.unwatched != nil {
		return p.unwatched
	}
	return p.unread
}

// doubtful reports whether the path could have changed without an event: it is polled, or it was until
// the watches followed it a moment ago.
func (p *path) doubtful() bool { return p.polled || p.cause() != nil }

// track replaces the set. What was seen of a path that stays, and is what the caller read, spares a reading.
func (w *Watcher) track(files []File, now time.Time) {
	seen := map[string]reading{}
	for _, p := range w.paths {
		seen[p.name] = p.seen
	}
	w.paths = nil
	for _, f := range files {
		f = f.normal()
		f.Path = absolute(f.Path)
		p := &path{name: f.Path, told: f, seen: reading{file: f}}
		if s := seen[f.Path]; s.file == f {
			p.seen = s
		}
		w.paths = append(w.paths, p)
	}
	select {
	case <-w.changes: // about the set that is gone
	default:
	}
	w.follow()
	w.read(now, everyPath)
	w.polls.follow(w.paths, now)
	if w.differs() {
		// Whoever is at it may not have finished.
		w.burst.Hint(now)
	}
}

func absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// event takes an event of the source, or its end.
func (w *Watcher) event(ev fsnotify.Event, ok bool) {
	if !ok {
		w.trouble(fsnotify.ErrClosed, false)
		return
	}
	if w.watches.heed(ev) {
		w.burst.Hint(time.Now())
	}
}

// trouble takes an error of the source. After an overflow it is as good as before; after anything else it
// is replaced, so that one that fails for ever does so once in a burst and no more.
func (w *Watcher) trouble(err error, ok bool) {
	if !ok || !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.watches.drop()
	}
	w.burst.Hint(time.Now())
}

// wake does what is due at now.
func (w *Watcher) wake(now time.Time) {
	if w.polls.Due(now) {
		w.poll(now)
	}
	if w.burst.Due(now) {
		w.rest(now)
	}
}

// rest looks whether content differs, once it is sure that the burst is over.
func (w *Watcher) rest(now time.Time) {
	added := w.follow()
	moving := w.read(now, everyPath)
	w.polls.follow(w.paths, now)
	// What happened in a directory before it came to be watched is not known, and nothing but another
	// look tells that a polled path is still being written.
	if (added || moving) && !w.burst.Spent(now) {
		w.burst.Hint(now)
		return
	}
	w.burst.Close()
	w.report()
}

// poll looks at the paths that are not watched, and tries to watch them where that may help.
func (w *Watcher) poll(now time.Time) {
	if w.polls.retry {
		w.follow()
	}
	if w.read(now, (*path).doubtful) {
		w.burst.Hint(now)
	}
	w.polls.follow(w.paths, now)
}

// follow makes the watches follow the paths and reports whether a directory came to be watched.
func (w *Watcher) follow() (added bool) {
	w.watches.added = false
	for range 2 {
		w.watches.begin()
		for _, p := range w.paths {
			p.unwatched = w.watches.follow(p.name)
		}
		if !w.watches.sweep() {
			break
		}
	}
	return w.watches.added
}

// read brings what was seen of those paths up to date, and reports whether that of a doubtful one changed.
func (w *Watcher) read(now time.Time, which func(*path) bool) (moving bool) {
	for _, p := range w.paths {
		if !which(p) {
			continue
		}
		r, err := read(p.name, p.seen, now)
		if err != nil {
			p.unread = fmt.Errorf("read %q: %w", p.name, cause(err))
			continue
		}
		moving = moving || p.doubtful() && r.file != p.seen.file
		p.seen, p.unread = r, nil
	}
	return moving
}

func everyPath(*path) bool { return true }

func (w *Watcher) differs() bool {
	for _, p := range w.paths {
		if p.seen.file != p.told {
			return true
		}
	}
	return false
}

// report says on Changes that content differs, if it does.
func (w *Watcher) report() {
	differs := w.differs()
	w.opts.settled(differs)
	if !differs {
		return
	}
	for _, p := range w.paths {
		p.told = p.seen.file
	}
	select {
	case w.changes <- struct{}{}:
	default: // one is waiting, which is about this as well
	}
}
