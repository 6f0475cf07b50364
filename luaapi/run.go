package luaapi

import (
	"context"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/luaapi/vm"
)

const (
	loadTime   = 2 * time.Second
	loadMemory = 256 << 20
)

// loadLimits bound a load.
var loadLimits = vm.Limits{Time: loadTime, Memory: loadMemory}

// run runs the recipe in a VM of its own and returns what it declared. The error is an *Errors, and then
// the VM is closed.
func run(ctx context.Context, limits vm.Limits, opt *Options, d *disk) (*load, error) {
	path := filepath.Clean(opt.Path)
	l := &load{
		opt: opt, disk: d, dir: filepath.Dir(path), entry: filepath.Base(path),
		sources: map[string]*source{}, read: map[string]bool{}, handles: map[string]*handle{}, hooks: hooks{},
		scope: &scope{path: path},
	}
	l.vm = vm.New(vm.Options{Print: l.print, Require: l.require, Getenv: l.getenv, Strict: true})
	l.install()
	l.running = true
	whole := l.runEntry(ctx, limits, path)
	l.running = false
	if whole {
		l.check()
	}
	if l.failed > 0 || l.gate != nil {
		l.vm.Close()
		return nil, l.problems()
	}
	return l, nil
}

// runEntry reports whether all recipes were read to their ends: only then is what they lack really missing.
func (l *load) runEntry(ctx context.Context, limits vm.Limits, path string) bool {
	src, err := l.disk.read(path)
	if err != nil {
		l.fault(Error{File: l.entry, Message: err.Error()})
		return false
	}
	proto := l.compile(path, src)
	if proto == nil {
		return false
	}
	if _, err := l.vm.Call(ctx, limits, l.vm.Load(proto)); err != nil {
		l.fault(l.runtimeError(err))
		return false
	}
	return len(l.errors) == 0
}

// problems returns all that is wrong, or, for a recipe of another version, that alone.
func (l *load) problems() *Errors {
	if l.gate != nil {
		return newErrors(l.dir, l.entry, []Error{*l.gate})
	}
	all := l.errors
	for _, t := range l.troubles {
		all = append(all, t.resolve())
	}
	e := newErrors(l.dir, l.entry, all)
	e.More += l.failed - len(l.errors) - len(l.troubles)
	return e
}
