package rpc

import (
	"bytes"
	"fmt"
	"io"
)

// frames cuts what a connection carries into frames: lines, without their ends. It belongs to one reader.
type frames struct {
	r    io.Reader
	most int // bytes of a frame
	size int // bytes of the buffer, as long as that is enough

	// begun is called when some of a frame has come and the rest has not, and again with false when there is no
	// such frame. It may be nil.
	begun func(bool)
	// large asks for leave to go beyond smallFrame bytes, and free gives it back. They may be nil.
	large func() error
	free  func()

	buf    []byte // what was read
	head   int    // where the frame begins
	seen   int    // up to where there is no further end of a line
	count  int    // of frames that were begun
	timed  int    // the frame that begun knows of; 0: none
	leave  bool   // large was asked, and free was not called
	failed error
}

// errTooLong says that a frame is longer than it may be.
type errTooLong int

func (e errTooLong) Error() string { return fmt.Sprintf("a frame holds at most %d bytes", int(e)) }

// next returns the next frame that is not blank. It is valid until the next call. io.EOF: there is none after the last
// one; what follows the last line end is no frame. An error of a read that timed out may be tried again.
func (f *frames) next() ([]byte, error) {
	if f.failed != nil {
		return nil, f.failed
	}
	f.shrink()
	for {
		line, ok := f.line()
		switch {
		case len(line) > f.most || !ok && len(f.buf)-f.head > f.most:
			f.failed = errTooLong(f.most)
			return nil, f.failed
		case ok && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		case ok:
			continue
		}
		if err := f.fill(); err != nil {
			return nil, err
		}
	}
}

// ready reports whether next has a frame without reading.
func (f *frames) ready() bool { return bytes.IndexByte(f.buf[f.seen:], '\n') >= 0 }

// line takes a line that is there.
func (f *frames) line() ([]byte, bool) {
	i := bytes.IndexByte(f.buf[f.seen:], '\n')
	if i < 0 {
		f.seen = len(f.buf)
		return nil, false
	}
	line := f.buf[f.head : f.seen+i]
	f.seen += i + 1
	f.head = f.seen
	f.count++
	return line, true
}

// fill reads some more.
func (f *frames) fill() error {
	if f.head == len(f.buf) {
		f.buf, f.head, f.seen = f.buf[:0], 0, 0
	}
	f.time()
	if len(f.buf) == cap(f.buf) {
		if err := f.grow(); err != nil {
			return err
		}
	}
	n, err := f.r.Read(f.buf[len(f.buf):cap(f.buf)])
	f.buf = f.buf[:len(f.buf)+n]
	if n > 0 {
		return nil // an error comes again
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// time tells begun when a frame has begun, and when none has.
func (f *frames) time() {
	if f.begun == nil {
		return
	}
	switch pending := len(f.buf) > f.head; {
	case pending && f.timed != f.count+1:
		f.timed = f.count + 1
		f.begun(true)
	case !pending && f.timed != 0:
		f.timed = 0
		f.begun(false)
	}
}

// grow makes room behind what is there.
func (f *frames) grow() error {
	pending := len(f.buf) - f.head
	room := max(cap(f.buf), f.size)
	if pending > room/2 {
		room = min(2*room, max(f.most+1, f.size))
	}
	if room > smallFrame && !f.leave && f.large != nil {
		if err := f.large(); err != nil {
			f.failed = err
			return err
		}
		f.leave = true
	}
	f.move(room)
	return nil
}

// shrink gives back what a large frame took.
func (f *frames) shrink() {
	if cap(f.buf) <= max(smallFrame, f.size) || len(f.buf)-f.head > f.size {
		return
	}
	f.move(f.size)
	f.release()
}

// move puts what is not taken yet to the begin of a buffer of its own.
func (f *frames) move(room int) {
	to := f.buf[:0]
	if room != cap(f.buf) {
		to = make([]byte, 0, room)
	}
	f.seen -= f.head
	f.buf, f.head = append(to, f.buf[f.head:]...), 0
}

// release gives back the leave for a large frame.
func (f *frames) release() {
	if f.leave {
		f.leave = false
		f.free()
	}
}
