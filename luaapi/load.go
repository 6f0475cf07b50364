package luaapi

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// Options are what a load is given.
type Options struct {
	Path    string   // of the entry recipe, absolute
	Env     []string // the environment to inherit, "KEY=value"
	Shell   []string // the shell for commands, with its flags
	Version string   // fact host.version, and what requires looks at
	Session string   // fact host.session
	// Print is given each text that print writes, without a line end; nil drops it. It must be safe for
	// concurrent use and must not block: it is a part of the hook that prints.
	Print func(text string)
	// Report is told of trouble with hooks, once for each hook and kind of trouble; nil drops it. It must be
	// safe for concurrent use.
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
	done := make(chan outcome)
	go func() {
		p, err := start(ctx, opt, d)
		select {
		case done <- outcome{p, err}:
		case <-ctx.Done(): // nobody waits
			if p != nil {
				p.Close()
			}
		}
	}()
	select {
	case o := <-done:
		return o.p, d.all(), o.err
	case <-ctx.Done():
		path := filepath.Clean(opt.Path)
		e := Error{File: filepath.Base(path), Message: fmt.Sprintf("the load was given up: %v", context.Cause(ctx))}
		return nil, d.all(), &Errors{Dir: filepath.Dir(path), List: []Error{e}}
	}
}

// start makes the program. It may hang in a call of the system.
func start(ctx context.Context, opt Options, d *disk) (*Program, error) {
	e, err := newEngine(ctx, &opt, d)
	if err != nil {
		return nil, err
	}
	d.freeze()
	p := &Program{opt: opt, disk: d, engine: e, hooks: map[hookKey]*hookState{}}
	for _, draft := range e.load.drafts {
		p.recipe.Processes = append(p.recipe.Processes, draft.process())
	}
	for key, h := range e.load.hooks {
		p.hooks[key] = &hookState{label: h.String()}
	}
	e.load.forget()
	return p, nil
}
