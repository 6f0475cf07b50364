package filewatch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// watches is the set of directories that the system watches, made to follow what the tracked paths resolve
// to: begin, follow each path, sweep.
type watches struct {
	sys  system
	open func() (source, error)

	source   source // its notifier is nil while there is none
	openErr  error  // why
	dirs     map[string]*watched
	interest interest
	round    int
	added    bool // since begin, a directory came to be watched
}

// watched is a directory that was asked for in round. err says why it is not watched after all, or not
// reliably.
type watched struct {
	id    fs.FileInfo
	round int
	err   error
}

// silentError says that a file system does not tell of all changes.
type silentError string

func (e silentError) Error() string {
	return fmt.Sprintf("the file system (%s) does not tell of changes made elsewhere", string(e))
}

// errVanished says that a directory was removed or replaced while a path through it was followed.
var errVanished = errors.New("directory vanished")

// begin starts a round, in which every directory that is still wanted has to be asked for again.
func (w *watches) begin() {
	w.round++
	w.interest = newInterest(w.sys.exact)
	if w.source.notifier != nil {
		return
	}
	var err error
	if w.source, err = w.open(); err != nil {
		w.openErr = fmt.Errorf("watch files: %w", cause(err))
		return
	}
	w.openErr = nil
	w.dirs = map[string]*watched{}
}

// enter watches dir, a path without symlinks. It adds what is watched already as well: that costs a system
// call, and mends whatever happened to the watch unnoticed.
func (w *watches) enter(dir string) error {
	if w.openErr != nil {
		return w.openErr
	}
	d := w.dirs[dir]
	if d != nil && d.round == w.round {
		return d.err
	}
	id, err := os.Lstat(dir)
	if err != nil || !id.IsDir() {
		return errVanished
	}
	known := d != nil && os.SameFile(d.id, id)
	if !known {
		// The notifier may hold another directory under this name, one that was renamed away along
		// with its parent. Adding over it would leave the system watching that one for ever.
		w.source.Remove(dir)
	}
	err = w.source.Add(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return errVanished
	}
	if err != nil {
		w.source.Remove(dir) // it may be half done
		err = fmt.Errorf("watch %q: %w", dir, cause(err))
	} else {
		w.added = w.added || !known
		if kind := w.sys.silent(dir); kind != "" {
			err = fmt.Errorf("watch %q: %w", dir, silentError(kind))
		}
	}
	w.dirs[dir] = &watched{id: id, round: w.round, err: err}
	return err
}

// sweep ends the watches that were not asked for in this round and reports whether there were any. If so
// another round is needed: a limit may have been the reason for a failure before, and a directory that was
// watched under two names is not watched any more.
func (w *watches) sweep() (removed bool) {
	for name, d := range w.dirs {
		if d.round != w.round {
			w.source.Remove(name)
			delete(w.dirs, name)
			removed = true
		}
	}
	return removed
}

// heed takes an event and reports whether it is worth a look.
func (w *watches) heed(ev fsnotify.Event) bool {
	if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) {
		// A directory that is moved or removed loses its watch, and may be back by the time it is
		// entered again; what happened in it until then was not seen.
		delete(w.dirs, filepath.Clean(ev.Name)) // in the root it begins with two slashes
	}
	return w.interest.has(ev)
}

// drop closes the source; the next round opens another.
func (w *watches) drop() {
	if w.source.notifier != nil {
		w.source.Close()
	}
	w.source = source{}
	w.dirs = nil
}

// cause strips what wraps a system error, since the text says what was being done already.
func cause(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

func isSilent(err error) bool {
	var e silentError
	return errors.As(err, &e)
}
