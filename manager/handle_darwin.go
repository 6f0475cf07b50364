package manager

import (
	"sync"
	"syscall"
)

// handle holds on to a leader. Here a wait status cannot be looked at without being taken, so the leader is
// reaped as soon as it ends. The number of its group stays reserved as long as the group has members, and
// nothing is signalled without having been seen in the process table right before.
type handle struct {
	number int
	ended  chan struct{}

	mu     sync.Mutex
	result leaderStatus
	is     bool
}

func newHandle(l launched, _ seat) *handle {
	h := &handle{number: l.pid, ended: make(chan struct{})}
	go h.await()
	return h
}

func askForPidfd(*syscall.SysProcAttr, *int) {}

func (h *handle) pid() int              { return h.number }
func (h *handle) over() <-chan struct{} { return h.ended }
func (h *handle) reap()                 {}
func (h *handle) close()                {}

func (h *handle) await() {
	defer close(h.ended)
	var ws syscall.WaitStatus
	for {
		_, err := syscall.Wait4(h.number, &ws, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.is = true
		switch {
		case err != nil: // somebody else has taken it
		case ws.Exited():
			h.result = leaderStatus{known: true, code: ws.ExitStatus()}
		default:
			h.result = leaderStatus{known: true, signal: ws.Signal()}
		}
		return
	}
}

func (h *handle) status() (leaderStatus, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.result, h.is
}

// signalGroup signals the group if anybody is seen in it.
func (h *handle) signalGroup(sig syscall.Signal) {
	if _, ended := h.status(); ended {
		all, err := readTable()
		if err != nil || !all.hasGroup(h.number) {
			return
		}
	}
	syscall.Kill(-h.number, sig)
}

// signalLeader signals the leader alone, unless it has ended.
func (h *handle) signalLeader(sig syscall.Signal) {
	if _, ended := h.status(); !ended {
		syscall.Kill(h.number, sig)
	}
}
