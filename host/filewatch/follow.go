package filewatch

import (
	"os"
	"path/filepath"
	"strings"
)

const (
	maxLinks = 40  // symlinks on the way to a file, as in Linux
	maxRaces = 100 // attempts to follow a path whose directories are being replaced
)

// follow resolves path as the system does, entry by entry, and watches each directory before it looks
// into it. The error says why a change of the path's content could go unnoticed.
func (w *watches) follow(path string) error {
	err := errVanished
	for n := 0; n < maxRaces && err == errVanished; n++ {
		err = w.walk(path)
	}
	return err
}

func (w *watches) walk(path string) error {
	var uncovered coverage
	at, rest := "/", split(path)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			uncovered.looked()
			at = filepath.Dir(at)
			continue
		}
		entry := filepath.Join(at, name)
		w.interest.name(name)
		if w.sys.everyDir || len(rest) == 0 || !isDir(entry) {
			err := w.enter(at)
			if err == errVanished {
				return err
			}
			uncovered.entered(err)
		}
		info, err := os.Lstat(entry)
		switch {
		case err == nil && info.IsDir():
			at = entry
			continue
		case err == nil && info.Mode()&os.ModeSymlink != 0:
			uncovered.looked()
			target, err := os.Readlink(entry)
			if links++; err != nil || links > maxLinks {
				return uncovered.err
			}
			if filepath.IsAbs(target) {
				at = "/"
			}
			rest = append(split(target), rest...)
		default: // a file, or a gap: the way ends here
			uncovered.looked()
			return uncovered.err
		}
	}
	w.interest.list(at)
	err := w.enter(at)
	if err == errVanished {
		return err
	}
	uncovered.entered(err)
	uncovered.looked()
	return uncovered.err
}

// coverage finds out whether every entry on a way is seen to. An entry is, if its directory is watched, or
// if it is a directory and watched itself: it then tells of its own removal. So an unreadable /home is no reason
// to poll.
type coverage struct {
	err     error // the first that leaves an entry without
	pending error // of the directory entered last
}

// entered takes the outcome of watching a directory, which is the entry looked up before.
func (c *coverage) entered(err error) {
	if err != nil {
		c.looked()
	}
	c.pending = err
}

// looked says that the entry in the directory entered last will not be watched itself.
func (c *coverage) looked() {
	if c.err == nil {
		c.err = c.pending
	}
	c.pending = nil
}

// split returns the parts of path; ".." stays, since what it means depends on symlinks.
func split(path string) []string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
