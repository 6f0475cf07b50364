package luaapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/luaapi/vm"
	"github.com/prochost/prochost/notify"
)

const (
	// hookMemory is how much a hook may hold, in bytes.
	hookMemory = 64 << 20
	// maxFailures is after how many failures in a row a hook is off.
	maxFailures = 3
)

// Program is a recipe that was loaded: what it declared, and its hooks in a VM of their own. It is safe for
// concurrent use.
type Program struct {
	recipe recipe.Recipe
	labels map[hookKey]string // of every hook: where it stands and what it is
	report func(string)
	runner *vm.Runner

	current atomic.Pointer[load] // whose VM the runner has

	mu     sync.Mutex
	states map[hookKey]*hookState // guarded by mu
}

// hookState is how a hook has done since the load.
type hookState struct {
	failures  int  // in a row
	off       bool // no longer asked
	told      bool // a failure was reported
	toldStray bool // an unknown key in what it returned was reported
}

// Recipe returns what was declared. Nothing that a hook does changes it.
func (p *Program) Recipe() recipe.Recipe { return p.recipe }

// Close ends the program. A hook that is running is abandoned; Words returns an error from here on.
func (p *Program) Close() { p.runner.Close() }

// HasWords reports whether there is a hook that would be asked for words about a notification of kind about
// the process called name.
func (p *Program) HasWords(kind, name string) bool { return len(p.asked(kind, name)) > 0 }

// asked returns the hooks to ask, in order: the process's own, that of the kind, that for all.
func (p *Program) asked(kind, name string) (keys []hookKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range hookOrder(kind, name) {
		if s := p.states[key]; s != nil && !s.off {
			keys = append(keys, key)
		}
	}
	return keys
}

// Words asks the hooks for the words of v until one has some. It returns by the deadline of ctx at the
// latest. Nil words mean the built-in ones: no hook had any, or one failed, and then err says why. The first
// failure of a hook is reported too, and its third in a row, which turns it off until the next load. That
// there was no time left to ask is an error and no failure of a hook.
func (p *Program) Words(ctx context.Context, v notify.View) (*notify.Words, error) {
	for _, key := range p.asked(v.Kind, v.Process.Name) {
		words, err := p.ask(ctx, key, v)
		if words != nil || err != nil {
			return words, err
		}
	}
	return nil, nil
}

// errLate is reported when the time was over before a hook had begun.
var errLate = errors.New("no time was left to ask a hook")

func (p *Program) ask(ctx context.Context, key hookKey, v notify.View) (*notify.Words, error) {
	var answer answer // written on the VM's goroutine; read only if Do has waited for that
	var begun atomic.Bool
	err := p.runner.Do(ctx, func(m *vm.VM) error {
		begun.Store(true)
		var err error
		answer, err = p.call(ctx, m, key, v)
		return err
	})
	if err != nil && !begun.Load() {
		return nil, fmt.Errorf("%s: %w", p.labels[key], errors.Join(errLate, err))
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.labels[key], wordError(ctx, err))
	}
	p.settle(key, answer.stray, err)
	if err != nil {
		return nil, err
	}
	return answer.words, nil
}

// call runs a hook on the goroutine of the VM.
func (p *Program) call(ctx context.Context, m *vm.VM, key hookKey, v notify.View) (answer, error) {
	l := p.current.Load()
	if l.vm != m {
		return answer{}, errLate // this VM has been given up
	}
	limits := vm.Limits{Memory: hookMemory}
	if deadline, ok := ctx.Deadline(); ok {
		limits.Time = time.Until(deadline)
	}
	returned, err := m.Call(ctx, limits, l.hooks[key].fn, newView(m.State(), v))
	if err != nil {
		return answer{}, err
	}
	return readAnswer(returned)
}

// settle keeps count of how a hook does, and reports what is to be told.
func (p *Program) settle(key hookKey, stray string, err error) {
	var tell []string
	p.mu.Lock()
	s := p.states[key]
	if stray != "" && !s.toldStray {
		s.toldStray = true
		tell = append(tell, p.labels[key]+": "+stray)
	}
	if err == nil {
		s.failures = 0
	} else {
		s.failures++
		if !s.told {
			s.told = true
			tell = append(tell, err.Error())
		}
		if s.failures == maxFailures && !s.off {
			s.off = true
			tell = append(tell, fmt.Sprintf("%s: off until the next load, after %d failures in a row", p.labels[key], maxFailures))
		}
	}
	p.mu.Unlock()
	for _, message := range tell { // without the lock: the host may ask us something
		p.report(message)
	}
}
