package filewatch

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/fsnotify/fsnotify"
)

// interest says which events can bear on a tracked path. Without it a log file that grows beside a recipe would
// keep every burst from resting.
type interest struct {
	exact bool                // else every event counts
	names map[string]struct{} // looked up on the way to a tracked path, in lower case
	lists map[string]struct{} // directories that are tracked themselves
}

func newInterest(exact bool) interest {
	return interest{exact: exact, names: map[string]struct{}{}, lists: map[string]struct{}{}}
}

// name adds an entry. In which directory it is does not matter: a directory that is reachable by two ways
// (a bind mount) has events under one of them only.
func (i interest) name(entry string) { i.names[strings.ToLower(entry)] = struct{}{} }

// list adds a directory whose names matter.
func (i interest) list(dir string) { i.lists[dir] = struct{}{} }

// has reports whether ev is worth a look.
func (i interest) has(ev fsnotify.Event) bool {
	if !i.exact {
		return true
	}
	base := filepath.Base(ev.Name)
	if _, ok := i.names[strings.ToLower(base)]; ok {
		return true
	}
	// On a file system that ignores case an event carries the name on disk, not the one we asked for.
	// How it folds other letters than these is its own affair.
	if strings.IndexFunc(base, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return true
	}
	_, listed := i.lists[filepath.Dir(ev.Name)]
	return listed && (ev.Has(fsnotify.Create) || ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename))
}
