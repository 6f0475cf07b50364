package manager

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// defaultPath is searched when the environment has no PATH.
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

// lookPath finds the program name as a process with that environment and directory would. A name with a
// slash is taken as it is, relative to dir.
func lookPath(name string, env []string, dir string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	path := defaultPath
	for _, e := range env {
		if value, is := strings.CutPrefix(e, "PATH="); is {
			path = value
			break
		}
	}
	unusable := ""
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) { // an empty entry is the directory itself
			d = filepath.Join(dir, d)
		}
		file := filepath.Join(d, name)
		switch info, err := os.Stat(file); {
		case err != nil || info.IsDir():
		case executable(file, info):
			return file, nil
		case unusable == "":
			unusable = file
		}
	}
	switch {
	case unusable != "":
		return "", fmt.Errorf("%q is not executable", unusable)
	case name == "":
		return "", fmt.Errorf("%w: the name is empty", proc.ErrNoCommand)
	}
	return "", fmt.Errorf("%w: %q is not in the PATH", proc.ErrNoCommand, name)
}

func executable(file string, info fs.FileInfo) bool {
	return info.Mode()&0o111 != 0 && unix.Faccessat(unix.AT_FDCWD, file, unix.X_OK, unix.AT_EACCESS) == nil
}
