package manager

import (
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// maxPollers bounds how many goroutines read the output of all children.
const maxPollers = 4

// intake reads the output of all children, and notices the end of leaders. Each child has its seat at one of a
// few pollers, so that both of its streams and its end are seen by the same.
type intake struct {
	room    room
	pollers []*poller
	next    atomic.Uint32
}

func newIntake() (*intake, error) {
	in := &intake{}
	for range min(runtime.GOMAXPROCS(0), maxPollers) {
		p, err := newPoller()
		if err != nil {
			in.close()
			return nil, err
		}
		in.pollers = append(in.pollers, p)
		go p.run()
	}
	return in, nil
}

// seat is the place of a child.
type seat struct {
	in     *intake
	poller *poller
}

// seat gives the next child its place.
func (in *intake) seat() seat {
	return seat{in, in.pollers[int(in.next.Add(1))%len(in.pollers)]}
}

// add has r read from now on.
func (s seat) add(r *reader) {
	if !s.poll(r) {
		r.follow()
	}
}

// poll has r read by the poller. It reports false if that is not possible.
func (s seat) poll(r *reader) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return true
	}
	size, err := unix.FcntlInt(uintptr(r.fd), unix.F_GETPIPE_SZ, 0)
	if err != nil {
		return false
	}
	p := &polled{reader: r, poller: s.poller, room: &s.in.room, number: r.fd, first: size, size: size}
	p.token, err = s.poller.add(p, r.fd, unix.EPOLLIN)
	if err != nil {
		return false
	}
	r.release = p.letGo
	return true
}

// close ends all pollers. What is added later is waited for by goroutines.
func (in *intake) close() {
	for _, p := range in.pollers {
		p.close()
	}
}

// maxRoom bounds by how many bytes all pipes together grow. The pipes of an ordinary user may have 64 MiB in
// all; when these are used up, new ones are small.
const maxRoom = 16 << 20

// room is by how much pipes have grown.
type room struct{ taken atomic.Int64 }

// take takes n bytes more, or gives some back. It reports false if that would be too many.
func (r *room) take(n int) bool {
	if r.taken.Add(int64(n)) > maxRoom && n > 0 {
		r.taken.Add(int64(-n))
		return false
	}
	return true
}
