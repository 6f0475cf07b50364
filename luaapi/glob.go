package luaapi

import (
	"errors"
	"path/filepath"
	"strings"
)

// isGlob reports whether path has anything but literal text.
func isGlob(path string) bool { return strings.ContainsAny(path, `*?[\`) }

// checkGlob reports what is wrong with a pattern.
func checkGlob(pattern string) error {
	if strings.Contains(pattern, "**") {
		return errors.New(`"**" has no meaning here; write out each level, such as "*/*.lua"`)
	}
	for s := range strings.SplitSeq(pattern, "/") {
		if _, err := filepath.Match(s, ""); err != nil {
			return errors.New("it is no pattern: a bracket is left open, or a backslash ends it")
		}
	}
	return nil
}

// glob returns the paths that match an absolute pattern which checkGlob accepts, sorted. Every directory
// that was looked through is a File of its own, so that an entry that comes later is noticed.
func (d *disk) glob(pattern string) []string {
	found, segments := []string{"/"}, strings.Split(strings.Trim(filepath.Clean(pattern), "/"), "/")
	globbed := false
	for i, segment := range segments {
		last := i == len(segments)-1
		globbed = globbed || isGlob(segment)
		var next []string
		for _, dir := range found {
			switch {
			case !globbed || !last && !isGlob(segment):
				next = append(next, filepath.Join(dir, segment))
				continue
			case !last:
				segment = strings.TrimSuffix(segment, "/") + "/"
			}
			for _, name := range d.list(dir, segment) {
				next = append(next, filepath.Join(dir, name))
			}
		}
		found = next
	}
	return found
}
