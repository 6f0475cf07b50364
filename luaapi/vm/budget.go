package vm

import (
	"context"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// tick is how often a running call is looked at from outside, for its deadline and its memory.
	tick = 2 * time.Millisecond
	// lookSteps is after how many instructions the call looks at its memory itself.
	lookSteps = 2048
	// lookBytes is after how many bytes of strings it does.
	lookBytes = 4 << 20
)

// budget is the time and memory of the running call, and the context of every thread of its VM. The
// interpreter asks a context before each instruction whether it is done; with that question a call counts
// its steps and answers for its memory, on its own goroutine and between two instructions.
//
// A budget is used again and again: a call that ends in time costs one timer.
type budget struct {
	// owned by the goroutine of the VM
	vm      *VM
	parent  context.Context
	unlink  func() bool   // parts from parent
	done    chan struct{} // replaced when it has been closed
	steps   uint32
	strings int    // bytes of strings made since the last look
	memory  uint64 // what the call may add to the state; 0 for any amount
	suspect uint64 // total of allocations at which the state is measured
	begun   uint64 // total of allocations at the beginning of the call

	look atomic.Bool // set from outside: look at the memory before the next instruction

	mu       sync.Mutex
	call     uint64 // number of the call
	active   bool
	cause    error // why the call is over; set once
	deadline time.Time
	timer    *time.Timer
	limit    uint64                  // suspect, for the timer
	cancel   context.CancelCauseFunc // of the context for other goroutines, if one was asked for
	context  context.Context
}

// allocated is the total of bytes that the process has allocated on the heap so far.
func allocated() uint64 {
	s := [1]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64()
}

// begin starts a call; end ends it.
func (b *budget) begin(ctx context.Context, lim Limits) {
	if b.stopped() != nil {
		b.done = make(chan struct{})
	}
	b.parent = ctx
	b.steps, b.strings = 0, 0
	b.memory, b.suspect = lim.Memory, 0
	if b.memory > 0 {
		b.begun = allocated()
		b.suspect = b.begun + b.memory
	}
	b.look.Store(false)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.call++
	b.active, b.cause = true, nil
	b.limit = b.suspect
	b.deadline = time.Time{}
	wait := tick
	if lim.Time > 0 {
		b.deadline = time.Now().Add(lim.Time)
		wait = min(wait, lim.Time)
	}
	if lim.Time > 0 || lim.Memory > 0 {
		if b.timer == nil {
			b.timer = time.AfterFunc(wait, b.onTick)
		} else {
			b.timer.Reset(wait)
		}
	}
	if ctx.Done() != nil {
		call := b.call
		b.unlink = context.AfterFunc(ctx, func() { b.cancelled(call, ctx) })
	}
}

func (b *budget) end() {
	if b.unlink != nil {
		b.unlink()
		b.unlink = nil
	}
	b.parent = context.Background()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.active = false
	if b.timer != nil {
		b.timer.Stop()
	}
	if b.cancel != nil {
		b.cancel(context.Canceled)
		b.cancel, b.context = nil, nil
	}
}

// onTick runs on the timer's goroutine. It may come late, within a later call than it was set for, and so
// relies on nothing but what it finds.
func (b *budget) onTick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.active || b.cause != nil {
		return
	}
	wait := tick
	if !b.deadline.IsZero() {
		left := time.Until(b.deadline)
		if left <= 0 {
			b.stop(ErrTime)
			return
		}
		wait = min(wait, left)
	}
	if b.limit > 0 && allocated() >= b.limit {
		b.look.Store(true)
	}
	b.timer.Reset(wait)
}

// cancelled ends call number n because its context is done.
func (b *budget) cancelled(n uint64, ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.active && b.call == n {
		b.stop(context.Cause(ctx))
	}
}

// stop ends the call. b.mu is held.
func (b *budget) stop(cause error) {
	if b.cause != nil {
		return
	}
	b.cause = cause
	close(b.done)
	if b.cancel != nil {
		b.cancel(cause)
	}
}

// stopped returns why the call is over, nil while it is not.
func (b *budget) stopped() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cause
}

// spent reports whether the call is over, for loops in Go code.
func (b *budget) spent() bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}

// charge counts n bytes of new strings.
func (b *budget) charge(n int) {
	if b.strings += n; b.strings >= lookBytes {
		b.strings = 0
		b.check()
	}
}

// check measures the state if the process has allocated what the call may hold, whoever it was that did.
// What the process allocates is a reason to look; what the state holds decides.
func (b *budget) check() {
	b.look.Store(false)
	if b.memory == 0 {
		return
	}
	if allocated() < b.suspect {
		return
	}
	grown := b.vm.grown(b.memory)
	if grown <= b.memory {
		// To exceed the limit, the rest of it has to be allocated first. What measuring took does not count.
		b.suspect = allocated() + max(b.memory-grown, b.memory/4)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = b.suspect
	if grown > b.memory {
		b.stop(ErrMemory)
	}
}

// forOthers returns a context for goroutines other than the VM's. It ends with the call.
func (b *budget) forOthers() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.context == nil {
		b.context, b.cancel = context.WithCancelCause(b.parent)
		if b.cause != nil || !b.active {
			b.cancel(b.cause)
		}
	}
	return b.context
}

// Done implements context.Context. The interpreter calls it before each instruction.
func (b *budget) Done() <-chan struct{} {
	if b.steps++; b.steps%lookSteps == 0 || b.look.Load() {
		b.check()
	}
	return b.done
}

// Err implements context.Context.
func (b *budget) Err() error { return b.stopped() }

// Deadline implements context.Context.
func (b *budget) Deadline() (time.Time, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d, ok := b.parent.Deadline(); ok && (b.deadline.IsZero() || d.Before(b.deadline)) {
		return d, true
	}
	return b.deadline, !b.deadline.IsZero()
}

// Value implements context.Context.
func (b *budget) Value(key any) any { return b.parent.Value(key) }
