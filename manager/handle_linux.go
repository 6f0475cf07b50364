package manager

import (
	"errors"
	"sync"
	"syscall"
	"time"
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
// The end is noticed by the poller that has the pidfd, and no thread waits. Without pidfds one does.
type handle struct {
	number int
	pidfd  int // -1 where there is none
	poller *poller
	token  uint64
	ended  chan struct{}
	final  leaderStatus // set before ended is closed
	gone   bool         // the number is not ours any more; owned by the owner

	mu sync.Mutex // held while the poller uses the pidfd, and while the owner closes it
}

func newHandle(l launched, s seat) *handle {
	h := &handle{number: l.pid, pidfd: l.pidfd, poller: s.poller, ended: make(chan struct{})}
	if h.pidfd >= 0 && !h.poll() {
		syscall.Close(h.pidfd)
		h.pidfd = -1
	}
	if h.pidfd < 0 {
		go h.await()
	}
	return h
}

// poll has the poller look out for the end. It reports false if that is not possible.
func (h *handle) poll() bool {
	if h.poller == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	// A leader that somebody traces has ended before it can be waited for: that is told once more.
	h.token, err = h.poller.add(h, h.pidfd, unix.EPOLLIN|unix.EPOLLET)
	return err == nil
}

// floods implements source.
func (h *handle) floods() bool { return false }

// ready implements source: the leader has ended.
func (h *handle) ready(time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pidfd < 0 {
		return
	}
	if st, is := h.waitid(unix.WEXITED | unix.WNOWAIT | unix.WNOHANG); is {
		h.poller.remove(h.token, h.pidfd)
		h.final = st
		close(h.ended)
	}
}

func askForPidfd(attr *syscall.SysProcAttr, pidfd *int) { attr.PidFD = pidfd }

func (h *handle) pid() int              { return h.number }
func (h *handle) over() <-chan struct{} { return h.ended }

func (h *handle) await() {
	h.final, _ = h.waitid(unix.WEXITED | unix.WNOWAIT)
	close(h.ended)
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
	if h.pidfd < 0 {
		err = wait(unix.P_PID, h.number)
	} else {
		err = wait(unix.P_PIDFD, h.pidfd)
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
	if h.pidfd >= 0 {
		err = unix.PidfdSendSignal(h.pidfd, sig, nil, pidfdSignalGroup)
	}
	if errors.Is(err, unix.EINVAL) && !h.gone {
		syscall.Kill(-h.number, sig)
	}
}

// signalLeader signals the leader alone, unless it has ended.
func (h *handle) signalLeader(sig syscall.Signal) {
	if h.pidfd >= 0 {
		unix.PidfdSendSignal(h.pidfd, sig, nil, 0)
	} else if !h.gone {
		syscall.Kill(h.number, sig)
	}
}

// close lets the waiting end.
func (h *handle) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pidfd >= 0 {
		h.poller.remove(h.token, h.pidfd)
		syscall.Close(h.pidfd)
		h.pidfd = -1
	}
}
