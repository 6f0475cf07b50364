package manager

import (
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// reader is our end of an output stream. Its lock is held from a read until what it brought has been handed
// on, so whoever gets the lock finds nothing on its way.
//
// When it is to be read is the business of an intake, which learns of it by add. The end of the leader is not
// the end of the stream, since others may hold it. So at that moment the owner drains the stream itself: it
// hands on what the pipe holds by then and no more, because what comes later is not the leader's.
type reader struct {
	stream proc.Stream
	out    *output
	ended  func() // called once, at the end of the stream or when it is closed before

	mu      sync.Mutex
	fd      int    // -1 when closed
	release func() // closes fd
}

func newReader(s proc.Stream, fd int, out *output, ended func()) *reader {
	return &reader{stream: s, out: out, ended: ended, fd: fd, release: func() { syscall.Close(fd) }}
}

func (r *reader) listen(s seat) { s.add(r) }

// read hands on what is there, up to the size of block. It does not wait: n is 0 if nothing is there, and then
// over says that nothing will come any more.
func (r *reader) read(block []byte) (n int, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return 0, true
	}
	n, err := read(r.fd, block)
	if n <= 0 {
		return 0, err != syscall.EAGAIN
	}
	r.out.write(r.stream, block[:n])
	return n, false
}

// drain hands on as many bytes as the pipe holds when it begins.
func (r *reader) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return
	}
	left, err := unix.IoctlGetInt(r.fd, fionread)
	if err != nil || left <= 0 {
		return
	}
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	for left > 0 {
		n, _ := read(r.fd, block[:min(left, len(block))])
		if n <= 0 {
			return
		}
		r.out.write(r.stream, block[:n])
		left -= n
	}
}

// close ends the reading. A block that is being handed on is waited for.
func (r *reader) close() {
	r.mu.Lock()
	release := r.release
	r.fd, r.release = -1, nil
	r.mu.Unlock()
	if release != nil {
		release() // without the lock: it may wait for who waits for the lock
		r.ended()
	}
}

// blockSize is how much is read at a time at least: what a pipe holds.
const blockSize = 64 << 10

// blocks are buffers for those who read now and then.
var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

func read(fd int, p []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, p)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
