package manager

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// blockSize is how much is read at a time: what a pipe holds.
const blockSize = 64 << 10

// blocks are the buffers of readers that have something to read. A silent process holds none.
var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// reader reads one output stream to its end, in blocks as they come.
//
// The end of the leader is not the end of the stream: others may hold it. So at that moment the reader is
// woken, hands on what the pipe held by then, no more, and says that it has; what comes later is not the
// leader's. A blocked read is woken by a deadline in the past, and since a file with such a deadline is never
// even tried, the rest is read from the descriptor itself.
type reader struct {
	stream proc.Stream
	file   *os.File
	conn   syscall.RawConn
	out    *output

	woken   atomic.Bool
	drained chan struct{} // closed when the leader's output has been handed on, or at the end of the stream
	isDry   bool          // drained is closed; owned by run

	// what the last try brought; owned by run
	block *[blockSize]byte
	n     int
	err   error
}

func newReader(s proc.Stream, f *os.File, out *output) *reader {
	conn, err := f.SyscallConn()
	if err != nil {
		panic("manager: a pipe without a descriptor: " + err.Error()) // a nil file is the only way
	}
	return &reader{stream: s, file: f, conn: conn, out: out, drained: make(chan struct{})}
}

// wake makes the reader hand on what is there.
func (r *reader) wake() {
	r.woken.Store(true)
	r.file.SetReadDeadline(time.Unix(1, 0))
}

func (r *reader) run() {
	defer r.dry()
	defer r.file.Close()
	try := r.try // one closure, not one per block
	for {
		if r.woken.Load() && !r.isDry {
			r.drain()
			r.dry()
		}
		err := r.conn.Read(try)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			r.file.SetReadDeadline(time.Time{})
			continue
		case err != nil: // closed by the owner
			return
		}
		if r.n > 0 {
			r.out.write(r.stream, r.block[:r.n])
		}
		blocks.Put(r.block)
		r.block = nil
		if r.n <= 0 {
			return
		}
	}
}

// try reads if there is something to read, and only then holds a buffer.
func (r *reader) try(fd uintptr) bool {
	r.block = blocks.Get().(*[blockSize]byte)
	r.n, r.err = read(int(fd), r.block[:])
	if r.err == syscall.EAGAIN {
		blocks.Put(r.block)
		r.block = nil
		return false
	}
	return true
}

// drain hands on as many bytes as the pipe holds when it begins.
func (r *reader) drain() {
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	r.conn.Control(func(fd uintptr) {
		left, err := unix.IoctlGetInt(int(fd), fionread)
		for err == nil && left > 0 {
			var n int
			n, err = read(int(fd), block[:min(left, len(block))])
			if n <= 0 {
				return
			}
			r.out.write(r.stream, block[:n])
			left -= n
		}
	})
}

func (r *reader) dry() {
	if !r.isDry {
		r.isDry = true
		close(r.drained)
	}
}

func read(fd int, p []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, p)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
