package luaapi

import (
	"context"
	"fmt"
	"time"
)

const (
	// maxFailures is after how many failures in a row a hook is off.
	maxFailures = 3
	// maxGivenUp is after how many engines that hung all hooks are off.
	maxGivenUp = 3
)

// hookState is how a hook has done since the load.
type hookState struct {
	label     string // where it stands and what it is, for messages
	failures  int    // in a row
	off       bool   // no longer asked
	told      bool   // a failure was reported
	toldStray bool   // an unknown key in what it returned was reported
}

// settle keeps count of how a hook does, and reports what is to be told.
func (p *Program) settle(key hookKey, stray string, err error) {
	var tell []string
	p.mu.Lock()
	h := p.hooks[key]
	switch {
	case err != nil:
		h.failures++
		if !h.told {
			h.told = true
			tell = append(tell, err.Error())
		}
		if h.failures >= maxFailures && !h.off {
			h.off = true
			tell = append(tell, fmt.Sprintf("%s: off until the next load, after %d failures in a row", h.label, h.failures))
		}
	default:
		h.failures = 0
		if stray != "" && !h.toldStray {
			h.toldStray = true
			tell = append(tell, h.label+": "+stray)
		}
	}
	p.mu.Unlock()
	for _, message := range tell { // without the lock: who is told may ask something
		p.opt.Report(message)
	}
}

// watch looks after a hook that had not returned at its deadline. If it has not a while later, its engine is
// given up and another one made.
func (p *Program) watch(e *engine, c *asking) {
	time.AfterFunc(hookGrace, func() {
		if !c.returned.Load() {
			p.replace(e)
		}
	})
}

// replace runs the recipe again, from the text that was loaded, in place of an engine that hangs.
func (p *Program) replace(hung *engine) {
	p.mu.Lock()
	if p.engine != hung || p.closed {
		p.mu.Unlock()
		return
	}
	p.engine = nil
	hung.runner.Close() // it ends when the function that hangs returns, if ever
	p.given++
	off := p.given >= maxGivenUp
	p.mu.Unlock()
	if off {
		p.turnOff(fmt.Sprintf("after %d of them hung", p.given))
		return
	}

	e, err := newEngine(context.Background(), &p.opt, p.disk)
	if err != nil {
		p.turnOff("as the recipe cannot be run again: " + err.Error())
		return
	}
	e.load.forget()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		e.runner.Close()
		return
	}
	p.engine = e
}

// turnOff turns all hooks off until the next load.
func (p *Program) turnOff(why string) {
	p.mu.Lock()
	for _, h := range p.hooks {
		h.off = true
	}
	p.mu.Unlock()
	p.opt.Report("all hooks are off until the next load, " + why)
}
