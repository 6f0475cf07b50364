package manager

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// marksOf returns the marks in the environment with which a process was executed, innermost first. Those of a
// foreign user, and of a zombie, cannot be read and count as none.
//
// While a process executes a program there is no environment to read, and sure is false. Where it is empty,
// emptyAt is its address. For an instant an environment that is being built looks like that too: it is empty
// only if it stays so, see bareness.
func marksOf(pid int) (ids []proc.ID, emptyAt uint64, sure bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	environ, err := os.ReadFile(dir + "/environ")
	if err != nil || len(environ) > 0 {
		return marks(string(environ)), 0, true
	}
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return nil, 0, true
	}
	begin, end, known := environmentBounds(stat)
	return nil, begin, !known || begin == end && end != 0
}

// environmentBounds reads from a line of /proc/PID/stat where the environment begins and ends: nowhere while a
// program is being executed.
func environmentBounds(stat []byte) (begin, end uint64, known bool) {
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const first, last = 50 - 3, 51 - 3 // the fields have these numbers, the first one here 3
	if len(f) <= last {
		return 0, 0, false
	}
	begin, _ = strconv.ParseUint(string(f[first]), 10, 64)
	end, err := strconv.ParseUint(string(f[last]), 10, 64)
	return begin, end, err == nil
}

// bareTime is how long an environment has to be empty to count as empty.
const bareTime = 5 * time.Millisecond

// bareness is where an environment was seen empty, and since when.
type bareness struct {
	at    uint64
	since time.Time
}

// isBare reports whether the environment of m has been empty at that address for a while.
func (r *reaper) isBare(m member, at uint64) bool {
	b, seen := r.bare[m]
	if !seen || b.at != at {
		r.bare[m] = bareness{at, time.Now()}
		return false
	}
	return time.Since(b.since) >= bareTime
}

// pipeAt identifies the pipe, or the terminal, that a descriptor of ours is an end of; 0 if it is of none.
func pipeAt(fd int) uint64 {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return 0
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFIFO:
		return st.Ino
	case unix.S_IFCHR:
		n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
		if err == nil && unix.Stat(fmt.Sprintf("/dev/pts/%d", n), &st) == nil {
			return terminalNumber(st.Dev, st.Ino)
		}
	}
	return 0
}

// pipesOf returns the pipes, or the terminals, that a process has as its standard streams.
func pipesOf(pid int) []uint64 {
	var pipes []uint64
	for fd := range 3 {
		path := fmt.Sprintf("/proc/%d/fd/%d", pid, fd)
		link, err := os.Readlink(path)
		if err != nil {
			continue
		}
		var ino uint64
		if _, err := fmt.Sscanf(link, "pipe:[%d]", &ino); err == nil {
			pipes = append(pipes, ino)
			continue
		}
		var st syscall.Stat_t
		if strings.HasPrefix(link, "/dev/pts/") && syscall.Stat(path, &st) == nil {
			pipes = append(pipes, terminalNumber(st.Dev, st.Ino))
		}
	}
	return pipes
}
