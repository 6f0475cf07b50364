package luaapi

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/luaapi/vm"
)

// Options are what a load is given.
type Options struct {
	Path    string   // of the entry recipe, absolute
	Env     []string // the environment to inherit, "KEY=value"
	Shell   []string // the shell for commands, with its flags
	Version string   // fact host.version, and what requires looks at
	Session string   // fact host.session
	// Print is given each text that print writes, without a line end; nil drops it. It is called on the
	// goroutine of the VM.
	Print func(text string)
	// Report is told of trouble with hooks, once for each hook and kind of trouble; nil drops it. It is
	// called on the goroutine of Words.
	Report func(message string)
}

// loadGrace is how long a load that should have stopped is still waited for: more is needed only by one
// that hangs in a call of the system, such as a read from a dead network mount.
const loadGrace = time.Second

// Load runs the recipe, and what it includes and requires, in a VM of its own. It has no effect on the
// world. It takes a little over two seconds at most. The files that took part are returned in either case.
// The error is an *Errors.
func Load(ctx context.Context, opt Options) (*Program, []File, error) {
	if opt.Report == nil {
		opt.Report = func(string) {}
	}
	if len(opt.Shell) == 0 {
		opt.Shell = []string{"/bin/sh", "-c"}
	}
	ctx, cancel := context.WithTimeout(ctx, loadTime+loadGrace)
	defer cancel()
	d := newDisk()
	type outcome struct {
		p   *Program
		err error
	}
	result := make(chan outcome, 1)
	given := make(chan struct{})
	go func() {
		p, err := open(ctx, &opt, d)
		select {
		case result <- outcome{p, err}:
	}()
	select {
	case r := <-result:
		return r.p, d.all(), r.err
	case <-ctx.Done():
	}
	return nil, d.all(), nil
}
