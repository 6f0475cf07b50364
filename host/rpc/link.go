package rpc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// link is a connection to a host that many goroutines use at once.
//
//	call ──▶ send ──▶ wire ──▶ host
//	  ▲                          │
//	  └───── receive ◀── wire ◀──┘
type link struct {
	*wire               // read by receive
	slots chan struct{} // holds one for each request that the host has not answered
	turn  chan struct{} // holds one while a frame is written
	done  chan struct{} // closed when the connection is over

	mu      sync.Mutex // guards what follows
	last    uint64
	waiting map[uint64]chan outcome
	err     error // why it is over
}

// outcome is what an answer says.
type outcome struct {
	raw jsontext.Value
	err error
}

// errUnsent says that the host has not got the request, so that it may be asked again.
var errUnsent = fmt.Errorf("%w before it was asked", ErrLost)

func newLink(w *wire) *link {
	l := &link{
		wire: w, slots: make(chan struct{}, inFlight), turn: make(chan struct{}, 1), done: make(chan struct{}),
		last: 1, waiting: map[uint64]chan outcome{},
	}
	go l.receive()
	return l
}

// receive hands answers to those who wait for them.
func (l *link) receive() {
	for {
		r, err := l.read(context.Background())
		if err != nil {
			l.fail(err)
			return
		}
		n, ok := r.number()
		switch {
		case r.Method != "":
		case !ok: // it is about the connection
			_, err := r.outcome()
			l.fail(fmt.Errorf("%w: %w", ErrLost, err))
			return
		default:
			raw, err := r.outcome()
			l.deliver(n, outcome{raw.Clone(), err})
		}
	}
}

func (l *link) deliver(n uint64, o outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if answer, ok := l.waiting[n]; ok {
		delete(l.waiting, n)
		answer <- o
		<-l.slots
	}
}

// fail ends the connection for all who wait.
func (l *link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		close(l.done)
		l.nc.Close()
	}
}

// call asks the host and waits for its answer. When ctx is done before, it says so to the host.
func (l *link) call(ctx context.Context, method string, in any) (jsontext.Value, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.done:
		return nil, errUnsent
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	n, answer := l.enter()
	frame, err := encodeQuery(query{"2.0", n, method, in})
	if err == nil {
		err = l.send(ctx, frame)
	}
	if err != nil {
		l.deliver(n, outcome{})
		return nil, err
	}
	select {
	case o := <-answer:
		return o.raw, o.err
	case <-ctx.Done():
		go l.cancel(n)
		return nil, ctx.Err()
	case <-l.done:
	}
	select {
	case o := <-answer: // it came before the end
		return o.raw, o.err
	default:
		return nil, l.err
	}
}

func (l *link) enter() (uint64, <-chan outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	answer := make(chan outcome, 1)
	l.waiting[l.last] = answer
	return l.last, answer
}

// send writes a frame. A frame of which a part is written ends the connection: nothing can follow it.
func (l *link) send(ctx context.Context, frame []byte) error {
	select {
	case l.turn <- struct{}{}:
	case <-l.done:
		return errUnsent
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	stopped := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		l.nc.SetWriteDeadline(time.Unix(1, 0))
		close(stopped)
	})
	n, err := l.nc.Write(frame)
	if !cancel() {
		<-stopped
		l.nc.SetWriteDeadline(time.Time{})
	}
	switch {
	case err == nil:
		return nil
	case n == 0 && ctx.Err() != nil:
		return ctx.Err()
	}
	l.fail(fmt.Errorf("%w: %w", ErrLost, err))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errUnsent
}

// cancel tells the host that nobody waits for an answer.
func (l *link) cancel(n uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), handshake)
	defer cancel()
	frame, err := encodeQuery(query{Version: "2.0", Method: cancelMethod, Params: map[string]uint64{"id": n}})
	if err == nil {
		l.send(ctx, frame)
	}
}
