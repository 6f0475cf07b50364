package manager

import (
	"fmt"
	"os"
	"strconv"

	"github.com/prochost/prochost/manager/proc"
)

// marksOf returns the marks in the environment with which a process was executed, innermost first. Those of a
// foreign user, and of a zombie, cannot be read.
func marksOf(pid int) []proc.ID {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil
	}
	return marks(string(environ))
}

// pipesOf returns the pipes that a process has as its standard streams.
func pipesOf(pid int) []uint64 {
	var pipes []uint64
	for fd := range 3 {
		link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd))
		if err != nil {
			continue
		}
		var ino uint64
		if _, err := fmt.Sscanf(link, "pipe:[%d]", &ino); err == nil {
			pipes = append(pipes, ino)
		}
	}
	return pipes
}
