package luaapi

import (
	"context"
	"sync"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/notify"
)

// Program is a recipe that was loaded: what it declared, and its hooks in a VM of their own. It is safe for
// concurrent use.
type Program struct {
	opt    Options
	disk   *disk // frozen
	recipe recipe.Recipe

	mu     sync.Mutex // guards all below
	engine *engine    // nil while another is made in place of one that hangs, and when that came to nothing
	given  int        // engines that were given up
	closed bool
	hooks  map[hookKey]*hookState // all that there are
}

// Recipe returns what was declared. Nothing that a hook does changes it.
func (p *Program) Recipe() recipe.Recipe { return p.recipe }

// Close ends the program: from here on Words returns built-in words and an error. A hook that runs is not
// waited for.
func (p *Program) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.engine != nil {
		p.engine.runner.Close()
	}
}

// HasWords reports whether there is a hook that would be asked for words about a notification of kind about
// the process called name.
func (p *Program) HasWords(kind, name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked(kind, name)) > 0
}

// asked returns the hooks to ask, in order. p.mu is held.
func (p *Program) asked(kind, name string) (keys []hookKey) {
	for _, key := range hookOrder(kind, name) {
		if h := p.hooks[key]; h != nil && !h.off {
			keys = append(keys, key)
		}
	}
	return keys
}

// Words asks the hooks for the words of v until one has some: the process's own, that of the kind, that for
// all others. It returns at the deadline of ctx, which it must have, at the latest. Nil words mean the built-in ones: no hook
// had any, or one failed, and then err says why.
//
// Trouble is reported by Options.Report as well, once for each hook: its first failure, and that it is off
// until the next load, which it is after three failures in a row. That no time was left to ask a hook is an
// error here, and no failure of the hook.
func (p *Program) Words(ctx context.Context, v notify.View) (*notify.Words, error) {
	p.mu.Lock()
	keys := p.asked(v.Kind, v.Process.Name)
	p.mu.Unlock()
	for _, key := range keys {
		words, err := p.ask(ctx, key, v)
		if words != nil || err != nil {
			return words, err
		}
	}
	return nil, nil
}
