package statedir

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxSocket is how long the path of a socket may be, in bytes.
const maxSocket = len(unix.RawSockaddrUnix{}.Path) - 1

// socket returns where the host of a project listens: the first place whose path is short enough.
func socket(runtime, root, project string) (string, error) {
	var places []string
	if usable(runtime) {
		places = append(places, filepath.Join(runtime, "prochost"))
	}
	places = append(places, root, "/tmp/prochost-"+strconv.Itoa(os.Geteuid()))
	name := hash(project)[:16] + ".sock"
	for _, p := range places {
		if path := filepath.Join(p, name); len(path) <= maxSocket {
			return path, nil
		}
	}
	return "", fmt.Errorf("find a place for the socket of %q: every path is longer than %d bytes", project, maxSocket)
}

// usable reports whether dir is the runtime directory of this user. Who became another user by su has that of the
// one they were, and what they made in it would be in that one's way.
func usable(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && owner(info) == os.Geteuid()
}
