package console

import (
	"fmt"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

// tally remembers of each process how its last instance ended.
type tally struct {
	names []string // in order of appearance
	last  map[string]outcome
	ready map[string]bool // ids of instances that were ready

	declared bool // some process was declared
	ran      bool // some instance was started, or could not be
}

type outcome struct {
	process api.Info
	over    bool
	stopped bool // it was asked to end
	removed bool // the recipe does not declare it any more
}

func (t *tally) declare(names []string) {
	t.declared = t.declared || len(names) > 0
	for _, n := range names {
		if o, ok := t.last[n]; ok {
			o.removed = false
			t.last[n] = o
		}
	}
}

func (t *tally) remove(names []string) {
	for _, n := range names {
		if o, ok := t.last[n]; ok {
			o.removed = true
			t.last[n] = o
		}
	}
}

func (t *tally) start(p api.Info) { t.set(outcome{process: p}) }

func (t *tally) end(p api.Info, asked bool) {
	delete(t.ready, p.ID)
	t.set(outcome{process: p, over: true, stopped: asked})
}

func (t *tally) set(o outcome) {
	t.ran = true
	if t.last == nil {
		t.last = map[string]outcome{}
	}
	was, known := t.last[o.process.Name]
	if !known {
		t.names = append(t.names, o.process.Name)
	}
	o.removed = was.removed
	t.last[o.process.Name] = o
}

// change reports whether an instance became ready by a change.
func (t *tally) change(p api.Info) bool {
	if p.Ready == nil || !*p.Ready || t.ready[p.ID] {
		return false
	}
	if t.ready == nil {
		t.ready = map[string]bool{}
	}
	t.ready[p.ID] = true
	return true
}

// summary shows in one line how the processes ended. Of a single one there is nothing to sum up.
func (c *Console) summary(at int64) {
	t := &c.tally
	if !t.ran && !c.stop.begun && c.path != "" && len(c.stand) == 0 {
		words := "every process of the recipe has auto = false; name one"
		if !t.declared {
			words = c.path + " declares no process"
		}
		c.line(at, "", trouble, none, "nothing to start: "+words)
		return
	}
	if len(c.stand) > 0 && t.ran {
		c.line(at, "", failed, none, fmt.Sprintf("%s is still broken: %s", c.path, notify.Count(len(c.stand), "error")))
	}
	var failures []string
	var nFinished, nStopped int
	for _, name := range t.names {
		switch o := t.last[name]; {
		case !o.over || o.removed:
		case o.process.Success != nil && *o.process.Success && !o.stopped:
			nFinished++
		case o.stopped:
			nStopped++
		default:
			failures = append(failures, fmt.Sprintf("%s (%s)", name, howFailed(o.process)))
		}
	}
	if len(failures)+nFinished+nStopped < 2 || c.opt.Terse {
		return
	}
	k, parts := finished, []string(nil)
	if nStopped > 0 {
		k, parts = stopped, append(parts, fmt.Sprintf("%d stopped", nStopped))
	}
	if nFinished > 0 {
		parts = append(parts, fmt.Sprintf("%d finished", nFinished))
	}
	if len(failures) > 0 {
		k, parts = failed, append([]string{fmt.Sprintf("%d failed: %s", len(failures), list(failures))}, parts...)
	}
	c.line(at, "", k, none, strings.Join(parts, "; "))
}

func howFailed(p api.Info) string {
	switch {
	case p.ErrorMessage != nil:
		return "could not be started"
	case p.Signal != nil:
		return p.Signal.Name
	case p.ExitCode != nil:
		return fmt.Sprintf("exit code %d", *p.ExitCode)
	}
	return "lost"
}
