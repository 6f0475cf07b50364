package console

import (
	"fmt"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

// tellWithin is how long the notification of an end is waited for before the end is shown by itself. Hooks have 50 ms
// for their words.
const tellWithin = 150 * time.Millisecond

// untold is an end whose notification has not come.
type untold struct {
	process api.Info
	at      int64
	due     time.Time
	asked   bool // for: it was stopped
}

func (c *Console) started(e *api.Started, at int64) {
	p := e.Process
	c.showUntold(func(u untold) bool { return u.process.Name == p.Name })
	c.gutter.know(p.Name)
	c.tally.start(p)
	if c.opt.Terse {
		return
	}
	words := "started"
	if p.Restarts > 0 {
		words = fmt.Sprintf("started again (restart %d)", p.Restarts)
	}
	if p.PID != nil {
		words += fmt.Sprintf(", pid %d", *p.PID)
	}
	c.line(at, p.Name, started, dim, words)
}

func (c *Console) changed(e *api.Changed, at int64, now time.Time) {
	p := e.Process
	c.stop.changed(p, now)
	becameReady := c.tally.change(p)
	if c.opt.Terse {
		return
	}
	switch {
	case becameReady:
		c.line(at, p.Name, ready, none, "ready after "+notify.Duration(millis(at-p.StartTime)))
	case p.EndTime != nil && p.EndReason != nil && *p.EndReason == "kill_timeout": // of this end nothing else is told
		c.line(at, p.Name, stopped, dim, "has ended at last, after its stop had run out of time")
	}
}

func (c *Console) ended(e *api.Ended, at int64, now time.Time) {
	p := e.Process
	c.gutter.know(p.Name)
	asked := c.stop.ended(p.ID)
	c.tally.end(p, asked)
	c.ends = append(c.ends, untold{process: p, at: at, due: now.Add(tellWithin), asked: asked})
}

// told takes an end off the list, for its notification has come, and reports whether it was asked for.
func (c *Console) told(id string) (asked bool) {
	for i, u := range c.ends {
		if u.process.ID == id {
			c.ends = append(c.ends[:i], c.ends[i+1:]...)
			return u.asked
		}
	}
	return false
}

// showUntold shows by themselves the ends that are meant, and waits for their notifications no longer.
func (c *Console) showUntold(meant func(untold) bool) {
	kept := c.ends[:0]
	var last int64
	for _, u := range c.ends {
		if !meant(u) {
			kept = append(kept, u)
			continue
		}
		last = u.at
		if !c.opt.Terse {
			k, words := endWords(u.process)
			if u.asked {
				k = stopped
			}
			c.line(u.at, u.process.Name, k, dim, words)
		}
	}
	clear(c.ends[len(kept):])
	c.ends = kept
	c.announce(last)
}

// endWords says how a process ended of which no notification came.
func endWords(p api.Info) (kind, string) {
	k, words := killed, "ended"
	switch {
	case p.Success != nil && *p.Success:
		k, words = finished, "finished"
	case p.Signal != nil:
		words = "ended by " + p.Signal.Name
	case p.ExitCode != nil:
		k, words = failed, fmt.Sprintf("ended with exit code %d", *p.ExitCode)
	}
	if p.EndTime != nil && p.PID != nil {
		words += " after " + notify.Duration(millis(*p.EndTime-p.StartTime))
	}
	return k, words
}
