package host

import (
	"context"
	"time"

	"github.com/prochost/prochost/host/api"
)

// call is something that an operation has the loop do; done is closed when it has been done.
type call struct {
	do   func(l *loop, now time.Time)
	done chan struct{}
}

func (call) input() {}

// on has the loop do something and waits for it. The error says that the host has ended.
func (h *Host) on(ctx context.Context, do func(l *loop, now time.Time)) error {
	c := call{do, make(chan struct{})}
	h.inbox.put(c)
	select {
	case <-c.done:
		return nil
	case <-h.over:
		select {
		case <-c.done:
			return nil
		default:
			return errOver
		}
	case <-ctx.Done():
		// It will be done all the same, and what it writes to must not be read meanwhile.
		return ctx.Err()
	}
}

var errOver = api.Refuse(api.ReasonClosing, "the host has ended")

// ask has the loop answer a question.
func ask[T any](ctx context.Context, h *Host, f func(l *loop, now time.Time) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	got := make(chan answer, 1)
	if err := h.on(ctx, func(l *loop, now time.Time) {
		v, err := f(l, now)
		got <- answer{v, err}
	}); err != nil {
		var none T
		return none, err
	}
	a := <-got
	return a.value, a.err
}

// waiter waits for something to become true of the loop's state. It is looked at after every input.
type waiter struct {
	met func(l *loop) bool // on the loop's goroutine
	yes chan struct{}      // closed when met
}

// await registers met and returns what is closed once it holds, at once if it does already.
func (l *loop) await(met func(l *loop) bool) *waiter {
	w := &waiter{met, make(chan struct{})}
	if met(l) {
		close(w.yes)
		return w
	}
	l.waiters = append(l.waiters, w)
	return w
}

// look tells the waiters whose time has come.
func (l *loop) look() {
	if len(l.waiters) == 0 {
		return
	}
	kept := l.waiters[:0]
	for _, w := range l.waiters {
		if w.met(l) {
			close(w.yes)
		} else {
			kept = append(kept, w)
		}
	}
	clear(l.waiters[len(kept):])
	l.waiters = kept
}

// until waits for w. A ctx that is done leaves it.
func (h *Host) until(ctx context.Context, w *waiter) error {
	select {
	case <-w.yes:
		return nil
	case <-h.over:
		select {
		case <-w.yes:
			return nil
		default:
			return errOver
		}
	case <-ctx.Done():
		h.inbox.put(call{func(l *loop, _ time.Time) {
			for i := range l.waiters {
				if l.waiters[i] == w {
					l.waiters = append(l.waiters[:i:i], l.waiters[i+1:]...)
					return
				}
			}
		}, make(chan struct{})})
		return ctx.Err()
	}
}
