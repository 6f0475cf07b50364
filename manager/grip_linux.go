package manager

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// grip is a pidfd of a process that is not our child, or -1.
type grip int

const noGrip grip = -1

func gripOf(pid int) grip {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return noGrip
	}
	return grip(fd)
}

func (g grip) close() {
	if g >= 0 {
		unix.Close(int(g))
	}
}

// signalGroup signals the group that the process leads or has led, and reports whether the system can do that.
func (g grip) signalGroup(sig syscall.Signal) bool {
	if g < 0 {
		return false
	}
	err := unix.PidfdSendSignal(int(g), sig, nil, pidfdSignalGroup)
	return err != unix.EINVAL && err != unix.ENOSYS
}

// word is what the system says of how m has ended. As long as m is a zombie, that is shown to whoever may look into it;
// when it has been reaped, it is kept for whoever has a pidfd of it, if the kernel is not older than 6.15.
func (g grip) word(m member) (leaderStatus, bool) {
	if st, is := zombieStatus(m); is {
		return st, true
	}
	if g < 0 {
		return leaderStatus{}, false
	}
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if err := unix.IoctlPidfdInfo(int(g), &info); err != nil || info.Mask&unix.PIDFD_INFO_EXIT == 0 {
		return leaderStatus{}, false
	}
	return waitStatus(int(info.Exit_code)), true
}

// zombieStatus reads the wait status of a zombie. It shows as 0 to those who may not see it; whoever may see the
// namespace of a process may see it.
func zombieStatus(m member) (leaderStatus, bool) {
	if m.pid <= 0 {
		return leaderStatus{}, false
	}
	dir := "/proc/" + strconv.Itoa(m.pid)
	if _, err := os.Readlink(dir + "/ns/user"); err != nil {
		return leaderStatus{}, false
	}
	var buf [1024]byte
	stat, err := readSmall(unix.AT_FDCWD, dir+"/stat", buf[:])
	if err != nil {
		return leaderStatus{}, false
	}
	e, ok := parseStat(stat)
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const exitCode = 52 - 3 // the field has this number, the first one here 3
	if !ok || e.started != m.started || !e.dead || len(f) <= exitCode {
		return leaderStatus{}, false
	}
	status, err := strconv.Atoi(string(f[exitCode]))
	return waitStatus(status), err == nil
}

// waitStatus decodes a status in the form of wait.
func waitStatus(raw int) leaderStatus {
	ws := syscall.WaitStatus(raw)
	if ws.Signaled() {
		return leaderStatus{known: true, signal: ws.Signal()}
	}
	return leaderStatus{known: true, code: ws.ExitStatus()}
}
