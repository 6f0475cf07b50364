package usage

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor time in /proc: USER_HZ, which is 100 on every architecture that Go runs on.
const tick = time.Second / 100

var page = int64(os.Getpagesize())

// Table reads the table of processes.
func Table() ([]Process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("read the table of processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("read the table of processes: %w", err)
	}
	var table []Process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil { // it has ended meanwhile
			continue
		}
		if p, ok := parseStat(pid, stat); ok {
			table = append(table, p)
		}
	}
	return table, nil
}

// parseStat reads /proc/PID/stat; see proc_pid_stat(5). The name, in parentheses, may hold anything.
func parseStat(pid int, stat []byte) (Process, bool) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return Process{}, false
	}
	f := strings.Fields(string(stat[end+1:])) // the third field is f[0]
	if len(f) < 22 {
		return Process{}, false
	}
	n := func(field int) int64 { v, _ := strconv.ParseInt(f[field-3], 10, 64); return v }
	return Process{
		PID: pid, Parent: int(n(4)), Session: int(n(6)),
		CPU: time.Duration(n(14)+n(15)) * tick, Memory: n(24) * page,
	}, true
}
