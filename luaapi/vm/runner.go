package vm

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// Runner owns a VM on a goroutine of its own and runs functions there, one at a time.
//
// A function that does not return costs its caller no more than the caller's deadline: Do gives it up, and
// until it returns every Do fails at once. Callers that wait for their turn wait no longer than their own
// deadline.
type Runner struct {
	jobs chan job
	quit chan struct{} // closed by Close

	mu    sync.Mutex
	given int           // functions that run though their callers gave them up
	stuck chan struct{} // closed while there are any
	once  sync.Once
}

type job struct {
	run  func(*VM) error
	done chan error
}

// call runs the function. Its panic is an error of it alone.
func (j job) call(vm *VM) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return j.run(vm)
}

// ErrAbandoned: the function that Do ran had not returned when the caller's deadline came. It still runs.
var ErrAbandoned = errors.New("given up")

// NewRunner starts a goroutine and builds the VM there. The error is that of build.
func NewRunner(build func() (*VM, error)) (*Runner, error) {
	r := &Runner{jobs: make(chan job), quit: make(chan struct{}), stuck: make(chan struct{})}
	built := make(chan error)
	go r.loop(build, built)
	if err := <-built; err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Runner) loop(build func() (*VM, error), built chan<- error) {
	vm, err := build()
	built <- err
	if err != nil {
		return
	}
	defer vm.Close()
	for {
		select {
		case <-r.quit:
			return
		case j := <-r.jobs:
			j.done <- j.call(vm)
		}
	}
}

// Do runs f with the VM and returns its error. f must not keep the VM.
//
// It fails with ErrBusy if f was not started: because ctx was done first, or because an earlier function was
// given up and still runs. It fails with ErrAbandoned if f was started and had not returned when ctx was
// done; what f writes must not be read then. Both wrap the cause of ctx. After Close it fails with
// ErrClosed.
func (r *Runner) Do(ctx context.Context, f func(*VM) error) error {
	stuck := r.stuckNow()
	if err := r.unavailable(stuck); err != nil {
		return err
	}
	j := job{f, make(chan error, 1)}
	select {
	case <-r.quit:
		return ErrClosed
	case <-stuck:
		return r.unavailable(stuck)
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrBusy, context.Cause(ctx))
	case r.jobs <- j:
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
	}
	return r.abandon(ctx, j)
}

// abandon leaves j to itself, unless it has just ended.
func (r *Runner) abandon(ctx context.Context, j job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case err := <-j.done:
		return err
	default:
	}
	if r.given++; r.given == 1 {
		close(r.stuck)
	}
	go func() {
		<-j.done
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.given--; r.given == 0 {
			r.stuck = make(chan struct{})
		}
	}()
	return fmt.Errorf("%w: %w", ErrAbandoned, context.Cause(ctx))
}

// unavailable returns why no function can be run, or nil.
func (r *Runner) unavailable(stuck <-chan struct{}) error {
	select {
	case <-r.quit:
		return ErrClosed
	default:
	}
	select {
	case <-stuck:
		return ErrBusy
	default:
		return nil
	}
}

func (r *Runner) stuckNow() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stuck
}

// Close ends the goroutine and the VM, as soon as the function that runs has returned. It does not wait.
func (r *Runner) Close() { r.once.Do(func() { close(r.quit) }) }
