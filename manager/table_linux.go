package manager

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// readTable reads the process table. A process that comes or goes meanwhile may be missing.
func readTable() (table, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	t := make(table, 0, len(names))
	var buf [512]byte
	at := int(dir.Fd())
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := readSmall(at, name+"/stat", buf[:])
		switch {
		case gone(err):
			continue
		case err != nil:
			return nil, fmt.Errorf("read /proc/%s/stat: %w", name, err)
		}
		if e, ok := parseStat(stat); ok {
			t = append(t, e)
		}
	}
	return t, nil
}

// readEntry reads the entry of one process.
func readEntry(pid int) (entry, error) {
	var buf [512]byte
	stat, err := readSmall(unix.AT_FDCWD, "/proc/"+strconv.Itoa(pid)+"/stat", buf[:])
	if err != nil {
		return entry{}, err
	}
	e, ok := parseStat(stat)
	if !ok {
		return entry{}, fmt.Errorf("read /proc/%d/stat: not as expected: %q", pid, stat)
	}
	return e, nil
}

// parseStat reads a line of /proc/PID/stat. The second field is a name of the process's own choice and may
// hold anything; the last parenthesis ends it.
func parseStat(stat []byte) (e entry, ok bool) {
	head, tail := bytes.IndexByte(stat, ' '), bytes.LastIndexByte(stat, ')')
	if head < 0 || tail < 0 {
		return e, false
	}
	f := strings.Fields(string(stat[tail+1:]))
	if len(f) < 20 {
		return e, false
	}
	var errs [6]error
	e.pid, errs[0] = strconv.Atoi(string(stat[:head]))
	e.ppid, errs[1] = strconv.Atoi(f[1])
	e.pgid, errs[2] = strconv.Atoi(f[2])
	e.sid, errs[3] = strconv.Atoi(f[3])
	e.started, errs[4] = strconv.ParseUint(f[19], 10, 64)
	threads, err := strconv.Atoi(f[17])
	errs[5] = err
	// A process whose first thread has ended shows as a zombie while its other threads live on.
	e.dead = f[0] == "X" || f[0] == "Z" && threads <= 1
	return e, errors.Join(errs[:]...) == nil
}

// readSmall reads a file that fits into buf.
func readSmall(dir int, name string, buf []byte) ([]byte, error) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return nil, err
	}
	return buf[:n], nil
}

// gone reports whether err says that the process is not there.
func gone(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH)
}

// commandOf returns what the process runs, as a line, or its short name in brackets.
func commandOf(pid int) string {
	dir := "/proc/" + strconv.Itoa(pid)
	buf := make([]byte, 4096)
	if line, err := readSmall(unix.AT_FDCWD, dir+"/cmdline", buf); err == nil && len(line) > 0 {
		return proc.QuoteArgv(strings.Split(strings.TrimRight(string(line), "\x00"), "\x00"))
	}
	name, err := readSmall(unix.AT_FDCWD, dir+"/comm", buf)
	if err != nil {
		return ""
	}
	return "[" + strings.TrimSpace(string(name)) + "]"
}
