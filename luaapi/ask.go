package luaapi

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/prochost/prochost/luaapi/vm"
	"github.com/prochost/prochost/notify"
)

const (
	// hookMemory is how much a hook may add to what its VM holds, in bytes.
	hookMemory = 64 << 20
	// fairTime is the least that a hook must have been given to be blamed for not having ended in time.
	// Of many notifications at once the last ones are asked about when little is left.
	fairTime = 25 * time.Millisecond
	// hookGrace is how long after its deadline a hook that does not return makes its engine be given up.
	// The VM ends what runs in it by itself; only a function of Go that hangs gets so far.
	hookGrace = 250 * time.Millisecond
)

// errLate is reported when the time was over before a hook could be expected to have answered.
var errLate = errors.New("no time was left for it")

// ask puts v to one hook.
func (p *Program) ask(ctx context.Context, key hookKey, v notify.View) (*notify.Words, error) {
	p.mu.Lock()
	e, label := p.engine, p.hooks[key].label
	p.mu.Unlock()
	if e == nil {
		return nil, fmt.Errorf("%s: %w", label, vm.ErrBusy)
	}
	c := &asking{engine: e, key: key, view: v}
	err := e.runner.Do(ctx, func(m *vm.VM) error { return c.call(ctx, m) })
	if errors.Is(err, vm.ErrAbandoned) {
		p.watch(e, c)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", label, c.explain(err))
	}
	switch {
	case errors.Is(err, errLate):
		return nil, err
	case err != nil:
		p.settle(key, "", err)
		return nil, err
	}
	p.settle(key, c.answer.stray, nil)
	return c.answer.words, nil
}

// asking is one question to one hook.
type asking struct {
	engine *engine
	key    hookKey
	view   notify.View

	// written on the goroutine of the VM
	begun    atomic.Int64 // nanoseconds that were left when it began; 0 until then
	returned atomic.Bool
	answer   answer // read only once the function has returned
}

func (c *asking) call(ctx context.Context, m *vm.VM) error {
	defer c.returned.Store(true)
	left := fairTime
	if deadline, ok := ctx.Deadline(); ok {
		left = max(time.Until(deadline), 1)
	}
	c.begun.Store(int64(left))
	l := c.engine.load
	l.prints = 0
	returned, err := m.Call(ctx, vm.Limits{Memory: hookMemory}, l.hooks[c.key].fn, newView(m.State(), c.view))
	if err != nil {
		return err
	}
	c.answer, err = readAnswer(returned)
	return err
}

// explain words what went wrong for a person. What is not the hook's fault is errLate.
func (c *asking) explain(err error) error {
	left := time.Duration(c.begun.Load())
	timeout := errors.Is(err, vm.ErrTime) || errors.Is(err, context.DeadlineExceeded)
	var re *vm.RuntimeError
	switch {
	case left == 0, errors.Is(err, context.Canceled), timeout && left < fairTime:
		return fmt.Errorf("%w: %w", errLate, err)
	case timeout:
		return fmt.Errorf("did not end within %s: %w", left.Round(time.Millisecond), vm.ErrTime)
	case errors.Is(err, vm.ErrMemory):
		return fmt.Errorf("took more than %d MiB: %w", hookMemory>>20, vm.ErrMemory)
	case errors.As(err, &re):
		return fmt.Errorf("%w%s", re, c.engine.load.traceback(re.Traceback))
	}
	return err
}
