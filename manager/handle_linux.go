package manager

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pidfdSignalGroup makes pidfd_send_signal address the process group that the process leads or has led.
const pidfdSignalGroup = 1 << 2

// handle holds on to a leader.
//
// A leader that has ended is not reaped before its group is empty or is to be left alone: as long as it is a
// zombie no other process can be given its number, so that a signal to the group cannot reach a stranger.
// Where the kernel can signal the group of a pidfd, the number is not even used.
//
// The end is waited for on the pidfd, in the runtime's poller, and no thread waits. Without pidfds one does.
type handle struct {
	number int
	pidfd  *os.File // nil where there is none
	conn   syscall.RawConn
	ended  chan struct{}
	final  leaderStatus // set before ended is closed
	gone   bool         // the number is not ours any more; owned by the owner
}

func newHandle(l launched) *handle {
	h := &handle{number: l.pid, ended: make(chan struct{})}
	if l.pidfd >= 0 {
		syscall.SetNonblock(l.pidfd, true)
		h.pidfd = os.NewFile(uintptr(l.pidfd), "pidfd")
		h.conn, _ = h.pidfd.SyscallConn()
	}
	go h.await()
	return h
}

func askForPidfd(attr *syscall.SysProcAttr, pidfd *int) { attr.PidFD = pidfd }

func (h *handle) pid() int              { return h.number }
func (h *handle) over() <-chan struct{} { return h.ended }

func (h *handle) await() {
	if h.pidfd == nil {
		h.final, _ = h.waitid(unix.WEXITED | unix.WNOWAIT)
		close(h.ended)
		return
	}
	err := h.conn.Read(func(uintptr) (is bool) {
		h.final, is = h.waitid(unix.WEXITED | unix.WNOWAIT | unix.WNOHANG)
		return is
	})
	if err == nil { // otherwise it was closed
		close(h.ended)
	}
}

// status returns the wait status if there is one, and leaves it there.
func (h *handle) status() (st leaderStatus, is bool) {
	select {
	case <-h.ended: // asked again, the number might be another's
		st, is = h.final, true
	default:
		st, is = h.waitid(unix.WEXITED | unix.WNOWAIT | unix.WNOHANG)
	}
	if is && !st.known {
		h.gone = true
	}
	return st, is
}

// reap takes the wait status away.
func (h *handle) reap() {
	if !h.gone {
		h.waitid(unix.WEXITED | unix.WNOHANG)
		h.gone = true
	}
}

// waitid asks for the wait status. If the system has none to give and never will, the status is unknown.
func (h *handle) waitid(options int) (leaderStatus, bool) {
	var si unix.Siginfo
	wait := func(kind, id int) error {
		for {
			if err := unix.Waitid(kind, id, &si, options, nil); err != unix.EINTR {
				return err
			}
		}
	}
	var err error
	if h.pidfd == nil {
		err = wait(unix.P_PID, h.number)
	} else if closed := h.conn.Control(func(fd uintptr) { err = wait(unix.P_PIDFD, int(fd)) }); closed != nil {
		return leaderStatus{}, false
	}
	if err != nil {
		return leaderStatus{}, true
	}
	pid, status := childOf(&si)
	switch {
	case pid == 0:
		return leaderStatus{}, false
	case si.Code == cldExited:
		return leaderStatus{known: true, code: status}, true
	}
	return leaderStatus{known: true, signal: syscall.Signal(status)}, true
}

// cldExited is the code of a child that has returned; every other is of a signal.
const cldExited = 1

// childOf returns pid and status of a siginfo. They follow the three leading numbers, aligned to a pointer.
func childOf(si *unix.Siginfo) (pid, status int) {
	align := unsafe.Sizeof(uintptr(0))
	fields := (*[3]int32)(unsafe.Add(unsafe.Pointer(si), (3*4+align-1)/align*align))
	return int(fields[0]), int(fields[2])
}

// signalGroup signals the group, which may be empty.
func (h *handle) signalGroup(sig syscall.Signal) {
	err := error(unix.EINVAL)
	if h.pidfd != nil {
		h.conn.Control(func(fd uintptr) { err = unix.PidfdSendSignal(int(fd), sig, nil, pidfdSignalGroup) })
	}
	if errors.Is(err, unix.EINVAL) && !h.gone {
		syscall.Kill(-h.number, sig)
	}
}

// signalLeader signals the leader alone, unless it has ended.
func (h *handle) signalLeader(sig syscall.Signal) {
	if h.pidfd != nil {
		h.conn.Control(func(fd uintptr) { unix.PidfdSendSignal(int(fd), sig, nil, 0) })
	} else if !h.gone {
		syscall.Kill(h.number, sig)
	}
}

// close lets the waiting end.
func (h *handle) close() {
	if h.pidfd != nil {
		h.pidfd.Close()
	}
}
