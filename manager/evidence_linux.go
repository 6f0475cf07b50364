package manager

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/prochost/prochost/manager/proc"
)

// marksOf returns the marks in the environment with which a process was executed, innermost first. Those of a
// foreign user, and of a zombie, cannot be read and count as none. sure is false if there is no environment
// because the process is executing a program at this moment: the new memory has none until the very end.
func marksOf(pid int) (ids []proc.ID, sure bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	environ, err := os.ReadFile(dir + "/environ")
	if err != nil || len(environ) > 0 {
		return marks(string(environ)), true
	}
	stat, err := os.ReadFile(dir + "/stat")
	return nil, err != nil || emptyEnvironment(stat)
}

// emptyEnvironment reports whether a line of /proc/PID/stat says that the environment begins and ends at one
// place. While a program is being executed it is nowhere, and right after it there is one to be read.
func emptyEnvironment(stat []byte) bool {
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const begin, end = 50 - 3, 51 - 3 // the fields have these numbers, the first one here 3
	return len(f) <= end || string(f[begin]) == string(f[end]) && string(f[end]) != "0"
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
