package rpc

import (
	"context"
	"io"
	"sync"
)

// outbound is what waits for a client. It is bounded: who has more to say waits until the client has read some. One
// goroutine writes it, as much at a time as there is.
type outbound struct {
	wake chan struct{} // capacity 1: there is something, or it is over

	mu      sync.Mutex // guards what follows
	buf     []byte
	waiting bool          // somebody waits for room
	room    chan struct{} // closed when there is room, then made anew
	last    bool          // nothing follows what is there
	err     error         // nothing is sent any more
}

func newOutbound() *outbound {
	return &outbound{wake: make(chan struct{}, 1), room: make(chan struct{})}
}

// put appends a frame once no more than most bytes wait with it, or it would wait alone. It reports whether it has:
// not if ctx is done before, or the connection is over. If it has, and before anybody can read the frame, first is
// called; it may be nil.
func (o *outbound) put(ctx context.Context, frame []byte, most int, first func()) bool {
	for {
		o.mu.Lock()
		if o.err != nil || o.last {
			o.mu.Unlock()
			return false
		}
		if len(o.buf) == 0 || len(o.buf)+len(frame) <= most {
			o.buf = append(o.buf, frame...)
			if first != nil {
				first()
			}
			o.mu.Unlock()
			o.ring()
			return true
		}
		o.waiting = true
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return false
		}
	}
}

func (o *outbound) ring() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// finish lets writeTo end once all is sent that is there.
func (o *outbound) finish() {
	o.mu.Lock()
	o.last = true
	o.mu.Unlock()
	o.ring()
}

// fail drops what is there and what may come.
func (o *outbound) fail(err error) {
	o.mu.Lock()
	if o.err == nil {
		o.err, o.buf = err, nil
		close(o.room)
	}
	o.mu.Unlock()
	o.ring()
}

// writeTo writes what is put to w until it is finished or fails.
func (o *outbound) writeTo(w io.Writer) {
	var spare []byte
	for {
		b, over := o.take(spare)
		if over {
			return
		}
		if len(b) == 0 {
			<-o.wake
			continue
		}
		if _, err := w.Write(b); err != nil {
			o.fail(err)
			return
		}
		if spare = b[:0]; cap(spare) > 2*smallFrame {
			spare = nil
		}
	}
}

// take returns what is there and puts spare in its place.
func (o *outbound) take(spare []byte) (b []byte, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.buf) == 0 {
		return nil, o.last || o.err != nil
	}
	b, o.buf = o.buf, spare
	if o.waiting {
		o.waiting = false
		close(o.room)
		o.room = make(chan struct{})
	}
	return b, false
}
