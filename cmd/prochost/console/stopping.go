package console

import (
	"fmt"
	"slices"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

const (
	// slow is how long a process may take to end before it is said.
	slow = time.Second
	// maxGap bounds the time between two lines that say so; it doubles from slow on.
	maxGap = 15 * time.Second
)

// stopping follows how a host stops.
type stopping struct {
	begun   bool
	signal  bool   // a signal asked for it
	cause   string // the signal that asked for it, if one that is not Ctrl-C did
	killing bool
	total   int      // processes that ran when it began
	left    []string // names of those that still run, in order
	asked   []asked  // instances that were asked to end and have not, for whatever reason they were, in order

	announce bool // that it stops is still to be said
	next     time.Time
	gap      time.Duration
}

// asked is an instance that was asked to end and has not.
type asked struct {
	id, name string
	since    time.Time
}

func (s *stopping) changed(p api.Info, now time.Time) {
	known := slices.ContainsFunc(s.asked, func(a asked) bool { return a.id == p.ID })
	switch {
	case p.EndTime != nil:
		s.ended(p.ID)
	case p.Status == "terminating" && !known:
		s.asked = append(s.asked, asked{p.ID, p.Name, now})
	}
}

// ended takes an instance off the list and reports whether it was asked to end.
func (s *stopping) ended(id string) bool {
	n := len(s.asked)
	s.asked = slices.DeleteFunc(s.asked, func(a asked) bool { return a.id == id })
	return len(s.asked) < n
}

func (s *stopping) deadline() (time.Time, bool) { return s.next, s.begun && len(s.left) > 0 }

// Interrupt notes a signal that is going to stop the host, or with kill to kill it.
func (c *Console) Interrupt(signal string, kill bool, now time.Time) {
	if c.stop.signal = true; signal == "SIGINT" {
		c.wipe = c.opt.Hint // the terminal has echoed ^C
	} else if !c.stop.begun {
		c.stop.cause = signal
	}
	if !kill || c.stop.killing {
		return
	}
	c.stop.killing = true
	words := "killing what is left"
	if len(c.stop.left) > 0 {
		words = "killing " + list(c.stop.left)
	}
	c.line(now.UnixMilli(), "", stopped, none, words)
}

func (c *Console) host(e *api.HostState, at int64, now time.Time) {
	s := &c.stop
	switch e.State {
	case "stopping":
		s.left = e.Blocking
		if s.begun {
			return
		}
		s.begun, s.total = true, len(e.Blocking)
		s.gap, s.next = slow, now.Add(slow)
		s.announce = s.total > 0 && !s.killing && !c.opt.Terse
		c.announce(at)
	case "stopped":
		s.left, s.asked = nil, nil
	}
}

// announce says that the host stops, behind the end that may be why.
func (c *Console) announce(at int64) {
	s := &c.stop
	if !s.announce || len(c.ends) > 0 && !s.signal {
		return
	}
	s.announce = false
	words := "stopping " + list(s.left)
	if s.cause != "" {
		words = s.cause + ": " + words
	}
	c.line(at, "", stopped, none, words+c.hint())
}

func (c *Console) hint() string {
	switch {
	case !c.opt.Hint:
		return ""
	case c.stop.cause != "":
		return " (Ctrl-C kills)"
	}
	return " (Ctrl-C again kills)"
}

// progress says what still keeps the host from stopping, and for how long it has.
func (c *Console) progress(now time.Time) {
	s := &c.stop
	if due, ok := s.deadline(); !ok || due.After(now) {
		return
	}
	var late []string
	s.next = now.Add(slow)
	for _, a := range s.asked {
		switch took := now.Sub(a.since); {
		case !slices.Contains(s.left, a.name):
		case took >= slow:
			late = append(late, fmt.Sprintf("%s (%s)", a.name, notify.Duration(took.Truncate(slow))))
		case a.since.Add(slow).Before(s.next):
			s.next = a.since.Add(slow)
		}
	}
	if len(late) == 0 {
		return
	}
	words := fmt.Sprintf("waiting for %s; %d of %d left", list(late), len(s.left), s.total)
	if !s.killing {
		words += c.hint()
	}
	c.line(now.UnixMilli(), "", stopped, none, words)
	s.gap = min(2*s.gap, maxGap)
	s.next = now.Add(s.gap)
}
