package console

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/host/api"
)

// Know makes names known, so that the lines of all of them are aligned from the first one on.
func (c *Console) Know(names ...string) { c.gutter.know(names...) }

// snapshot shows what a host that runs already has, and what is wrong with its recipe.
func (c *Console) snapshot(e *api.Snapshot) {
	for _, p := range e.Processes {
		c.gutter.know(p.Name)
	}
	for _, p := range e.Processes {
		if p.EndTime != nil || p.PID == nil {
			continue
		}
		c.tally.start(p)
		if !c.opt.Terse {
			c.line(e.Time, p.Name, started, dim, fmt.Sprintf("%s, pid %d", p.Status, *p.PID))
		}
	}
	if c.stand = e.Recipe.Errors; len(c.stand) > 0 {
		c.path = c.shown(e.Recipe.Path)
		for _, err := range c.stand {
			c.recipeError(e.Time, filepath.Dir(e.Recipe.Path), err)
		}
		c.line(e.Time, "", recipe, none, "the last good recipe stays in force")
	}
	if e.Missed {
		c.line(e.Time, "", trouble, none, "some events before this are no longer kept")
	}
}

// lagged says that something is missing here.
func (c *Console) lagged(e *api.Lagged, now time.Time) {
	c.line(api.Millis(now), "", trouble, none, fmt.Sprintf("%d events or lines are missing here: they came faster than they could be shown", e.Missed))
}
