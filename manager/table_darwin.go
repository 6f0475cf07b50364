package manager

import (
	"bytes"
	"time"

	"golang.org/x/sys/unix"
)

// zombie is the state of a process that has ended and is not reaped.
const zombie = 5

// readTable reads the process table.
func readTable() (table, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	t := make(table, 0, len(all))
	for _, k := range all {
		t = append(t, entryOf(k))
	}
	return t, nil
}

func readEntry(pid int) (entry, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return entry{}, err
	}
	return entryOf(*k), nil
}

func entryOf(k unix.KinfoProc) entry {
	e := entry{
		pid: int(k.Proc.P_pid), ppid: int(k.Eproc.Ppid), pgid: int(k.Eproc.Pgid),
		started: uint64(time.Unix(k.Proc.P_starttime.Unix()).UnixMicro()),
		dead:    k.Proc.P_stat == zombie,
	}
	e.sid, _ = unix.Getsid(e.pid)
	return e
}

// hasGroup reports whether somebody lives in a group.
func (t table) hasGroup(pgid int) bool {
	for _, e := range t {
		if e.pgid == pgid && !e.dead {
			return true
		}
	}
	return false
}

// commandOf returns the short name of a process, in brackets.
func commandOf(pid int) string {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	name, _, _ := bytes.Cut(k.Proc.P_comm[:], []byte{0})
	return "[" + string(name) + "]"
}

func ignoredFromStart() signalSet { return 0 }
