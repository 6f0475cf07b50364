package vm

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

func newRunner(t *testing.T) *Runner {
	r, err := NewRunner(func() (*VM, error) { return New(Options{}), nil })
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

func TestRunnerRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		proto, err := Compile([]byte("n = (n or 0) + 1 return n"), "f.lua")
		require.NoError(t, err)
		for want := 1; want <= 3; want++ {
			var got []lua.LValue
			err := r.Do(t.Context(), func(vm *VM) (err error) {
				got, err = vm.Call(t.Context(), Limits{}, vm.Load(proto))
				return err
			})
			require.NoError(t, err)
			assert.Equal(t, []lua.LValue{lua.LNumber(want)}, got)
		}
		failure := errors.New("failure")
		assert.ErrorIs(t, r.Do(t.Context(), func(*VM) error { return failure }), failure)
		assert.ErrorContains(t, r.Do(t.Context(), func(*VM) error { panic("a bug") }), "panic: a bug")
		assert.NoError(t, r.Do(t.Context(), func(*VM) error { return nil }))
	})
}

func TestRunnerBuildFails(t *testing.T) {
	failure := errors.New("failure")
	_, err := NewRunner(func() (*VM, error) { return nil, failure })
	assert.ErrorIs(t, err, failure)
}

func TestRunnerOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		running := 0
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				assert.NoError(t, r.Do(t.Context(), func(*VM) error {
					running++
					assert.Equal(t, 1, running)
					time.Sleep(time.Second)
					running--
					return nil
				}))
			})
		}
		begin := time.Now()
		wg.Wait()
		assert.Equal(t, 10*time.Second, time.Since(begin))
	})
}

// Of calls that come while one runs, those that get no turn before their deadline fail at that deadline.
func TestRunnerWaitsNoLongerThanTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		go r.Do(t.Context(), func(*VM) error { time.Sleep(time.Second); return nil })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		begin := time.Now()
		err := r.Do(ctx, func(*VM) error { t.Error("it ran after its deadline"); return nil })
		assert.ErrorIs(t, err, ErrBusy)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, ErrAbandoned)
		assert.Equal(t, 50*time.Millisecond, time.Since(begin))
		assert.NoError(t, r.Do(t.Context(), func(*VM) error { return nil }))
		time.Sleep(time.Second)
	})
}

// A function that never returns costs nobody more than the deadline, and no call queues behind it.
func TestRunnerStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		release := make(chan struct{})
		var wg sync.WaitGroup
		var mu sync.Mutex
		abandoned, busy := 0, 0
		begin := time.Now()
		for range 25 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				err := r.Do(ctx, func(*VM) error { <-release; return nil })
				mu.Lock()
				defer mu.Unlock()
				switch {
				case errors.Is(err, ErrAbandoned):
					abandoned++
				case errors.Is(err, ErrBusy):
					busy++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, 50*time.Millisecond, time.Since(begin))
		assert.Equal(t, 1, abandoned)
		assert.Equal(t, 24, busy)

		begin = time.Now()
		assert.ErrorIs(t, r.Do(t.Context(), func(*VM) error { return nil }), ErrBusy)
		assert.Zero(t, time.Since(begin), "a call while the runner is stuck fails at once")

		close(release)
		synctest.Wait()
		assert.NoError(t, r.Do(t.Context(), func(*VM) error { return nil }), "the runner serves again when the function has returned")
	})
}

// Who waits when the runner gets stuck is told then.
func TestRunnerStuckWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		release := make(chan struct{})
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		go r.Do(short, func(*VM) error { <-release; return nil })
		synctest.Wait()
		begin := time.Now()
		assert.ErrorIs(t, r.Do(t.Context(), func(*VM) error { return nil }), ErrBusy)
		assert.Equal(t, 50*time.Millisecond, time.Since(begin))
		close(release)
		synctest.Wait()
	})
}

func TestRunnerClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		var vm *VM
		require.NoError(t, r.Do(t.Context(), func(v *VM) error { vm = v; return nil }))
		release := make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		assert.ErrorIs(t, r.Do(ctx, func(*VM) error { <-release; return nil }), ErrAbandoned)
		begin := time.Now()
		r.Close()
		r.Close()
		assert.Zero(t, time.Since(begin), "Close does not wait")
		assert.ErrorIs(t, r.Do(t.Context(), func(*VM) error { return nil }), ErrClosed)
		close(release)
		synctest.Wait()
		assert.True(t, vm.closed)
	})
}

func TestRunnerCloseEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(t)
		release := make(chan struct{})
		go r.Do(t.Context(), func(*VM) error { <-release; return nil })
		synctest.Wait()
		waiting := make(chan error, 1)
		go func() { waiting <- r.Do(t.Context(), func(*VM) error { return nil }) }()
		synctest.Wait()
		r.Close()
		assert.ErrorIs(t, <-waiting, ErrClosed)
		close(release)
		synctest.Wait()
	})
}
