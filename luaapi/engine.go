package luaapi

import (
	"context"

	"github.com/prochost/prochost/luaapi/vm"
)

// engine is a recipe that has run, and the goroutine that owns its VM.
type engine struct {
	runner *vm.Runner
	load   *load // for that goroutine, once it runs
}

// newEngine runs the recipe. The error is an *Errors.
func newEngine(ctx context.Context, opt *Options, d *disk) (*engine, error) {
	e := &engine{}
	var err error
	e.runner, err = vm.NewRunner(func() (*vm.VM, error) {
		l, err := run(ctx, loadLimits, opt, d)
		if err != nil {
			return nil, err
		}
		e.load = l
		return l.vm, nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}
