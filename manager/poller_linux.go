package manager

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	maxEvents = 64
	// maxBlock is how much of a stream is read in a round at most, so that a flood is not all that is read.
	maxBlock = maxPipe
)

// source is something that a poller looks after.
type source interface {
	// ready is called when there is something to read, and when there will be no more. It does not wait.
	ready(now time.Time)
	// floods reports whether others come first.
	floods() bool
}

// poller is one goroutine that waits for many descriptors. Its epoll is level-triggered, and none of the
// descriptors is in the runtime's poller; the epoll itself is, so that no thread waits in it.
type poller struct {
	file *os.File // the epoll
	conn syscall.RawConn
	done chan struct{} // closed when run has returned

	mu      sync.Mutex
	fd      int // -1 when closed
	sources map[uint64]source
	last    uint64 // token

	// owned by run
	try     func(fd uintptr) bool
	tries   int // at the poll, since it was last waited for
	events  [maxEvents]unix.EpollEvent
	n       int // of them
	due     []source
	block   []byte
	resting []*polled // in no order
	other   []*polled // an empty list to swap with
	tick    time.Time // when the rest of all of them is over; zero if there is none
	alarm   time.Time // for which the deadline of file is set
	parked  time.Time // when run last waited
}

func newPoller() (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	syscall.SetNonblock(fd, true)
	p := &poller{
		fd: fd, file: os.NewFile(uintptr(fd), "epoll"), done: make(chan struct{}),
		sources: map[uint64]source{}, block: make([]byte, maxBlock),
	}
	p.try = p.look
	p.conn, err = p.file.SyscallConn()
	if err != nil {
		p.file.Close()
		return nil, err
	}
	return p, nil
}

// run looks after all sources until the poller is closed.
func (p *poller) run() {
	defer close(p.done)
	for p.wait() {
		p.round(time.Now())
	}
}

// wait returns when there is something to do, and true, or when the poller is closed.
func (p *poller) wait() bool {
	if p.tick != p.alarm {
		p.alarm = p.tick
		p.file.SetReadDeadline(p.tick)
	}
	p.n, p.tries = 0, 0
	err := p.conn.Read(p.try)
	return err == nil || errors.Is(err, os.ErrDeadlineExceeded)
}

// look asks the poll what is there, and reports whether anything is.
func (p *poller) look(fd uintptr) bool {
	p.tries++
	n, err := unix.EpollWait(int(fd), p.events[:], 0)
	if err != nil { // interrupted
		return false
	}
	p.n = n
	return n > 0
}

// round lets each source that has something do a bounded piece of work, those last that flood.
func (p *poller) round(now time.Time) {
	p.due = p.due[:0]
	p.mu.Lock()
	for _, e := range p.events[:p.n] {
		if s := p.sources[tokenOf(e)]; s != nil {
			p.due = append(p.due, s)
		}
	}
	p.mu.Unlock()
	for _, floods := range []bool{false, true} {
		for i, s := range p.due {
			if s != nil && s.floods() == floods {
				p.due[i] = nil
				s.ready(now)
			}
		}
	}
	if !p.tick.IsZero() && !now.Before(p.tick) {
		p.endRests(now)
	}
	p.yield(now)
}

// endRests reads all that rest.
func (p *poller) endRests(now time.Time) {
	over := p.resting
	p.resting, p.tick = p.other[:0], time.Time{}
	for i, s := range over {
		s.rested(now)
		over[i] = nil
	}
	p.other = over
}

// rest has s read when the rests are over.
func (p *poller) rest(s *polled, now time.Time) {
	p.resting = append(p.resting, s)
	if p.tick.IsZero() {
		p.tick = now.Add(restTime)
	}
}

// yield lets others have the processor now and then while there is always something to read: the runtime
// would interrupt only after ten times as long.
func (p *poller) yield(now time.Time) {
	switch {
	case p.tries != 1:
		p.parked = now
	case now.Sub(p.parked) > restTime:
		runtime.Gosched()
		p.parked = now
	}
}

// add looks after s from now on, whose descriptor is fd, and returns the token by which it is known.
func (p *poller) add(s source, fd int, events uint32) (token uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 {
		return 0, os.ErrClosed
	}
	p.last++
	e := eventsFor(events, p.last)
	if err := unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &e); err != nil {
		return 0, os.NewSyscallError("epoll_ctl", err)
	}
	p.sources[p.last] = s
	return p.last, nil
}

// call has a source called when there is something, or only at its end.
func (p *poller) call(token uint64, fd int, something bool) {
	events := uint32(0) // the end is always told
	if something {
		events = unix.EPOLLIN
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sources[token] != nil {
		e := eventsFor(events, token)
		unix.EpollCtl(p.fd, unix.EPOLL_CTL_MOD, fd, &e)
	}
}

// remove looks after a source no more. It may be called once more, if it is being called.
func (p *poller) remove(token uint64, fd int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sources[token] != nil {
		delete(p.sources, token)
		unix.EpollCtl(p.fd, unix.EPOLL_CTL_DEL, fd, nil)
	}
}

// close ends run and waits for it.
func (p *poller) close() {
	p.mu.Lock()
	p.fd = -1
	clear(p.sources)
	p.mu.Unlock()
	p.file.Close()
	<-p.done
}

func eventsFor(events uint32, token uint64) unix.EpollEvent {
	return unix.EpollEvent{Events: events, Fd: int32(token), Pad: int32(token >> 32)}
}

func tokenOf(e unix.EpollEvent) uint64 { return uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32 }
