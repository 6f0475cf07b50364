package manager

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// polled is a stream that a poller looks after.
type polled struct {
	*reader
	poller *poller
	room   *room
	number int // the descriptor
	token  uint64
	first  int // the size of the pipe at first
	size   int // as it is; changed by the poller with the lock of the reader

	// owned by the poller
	pace    pace
	resting bool // the poll does not tell that something is there
	fixed   bool // it was not allowed to grow
}

// floods implements source.
func (s *polled) floods() bool { return !s.pace.fast.IsZero() }

// ready implements source. It is called during a rest when the stream is at its end, and then what is left
// is read.
func (s *polled) ready(now time.Time) { s.turn(now, false) }

// rested reads after a rest.
func (s *polled) rested(now time.Time) {
	s.resting = false
	s.turn(now, true)
}

func (s *polled) turn(now time.Time, rested bool) {
	n, over := s.read(s.poller.block)
	if over {
		s.close()
		return
	}
	if s.resting {
		return
	}
	next, full := s.pace.next(n, s.size, rested, now)
	if full {
		s.grow()
	}
	if rested && n == 0 {
		s.shrink()
	}
	s.resting = next == afterRest
	if s.resting != rested {
		s.poller.call(s.token, s.number, !s.resting)
	}
	if s.resting {
		s.poller.rest(s, now)
	}
}

// maxPipe is the size up to which the pipe of a fast writer grows, so that it need not wait during a rest.
const maxPipe = 256 << 10

// grow makes the pipe larger if that is allowed.
func (s *polled) grow() {
	if !s.fixed && s.size < maxPipe {
		s.fixed = !s.resize(maxPipe)
	}
}

// shrink gives back what a silent stream has no use for.
func (s *polled) shrink() {
	s.fixed = false
	if s.size > s.first {
		s.resize(s.first)
	}
}

func (s *polled) resize(size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	more := size - s.size
	if s.fd < 0 || !s.room.take(more) {
		return false
	}
	if _, err := unix.FcntlInt(uintptr(s.fd), unix.F_SETPIPE_SZ, size); err != nil {
		s.room.take(-more)
		return false
	}
	s.size = size
	return true
}

// letGo follows the end of the reading.
func (s *polled) letGo() {
	s.poller.remove(s.token, s.number)
	syscall.Close(s.number)
	s.room.take(s.first - s.size)
}
