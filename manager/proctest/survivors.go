package proctest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Survivor is a living process that a test has left.
type Survivor struct {
	PID     int
	Command string
}

func (s Survivor) String() string { return fmt.Sprintf("%d (%s)", s.PID, s.Command) }

// Survivors returns the processes, but for this one, that have token in their arguments or their environment.
// Zombies have neither.
func Survivors(token string) []Survivor {
	var found []Survivor
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(dir + "/cmdline")
		environ, _ := os.ReadFile(dir + "/environ")
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if pid != os.Getpid() && (bytes.Contains(line, []byte(token)) || bytes.Contains(environ, []byte(token))) {
			found = append(found, Survivor{pid, strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))})
		}
	}
	return found
}
