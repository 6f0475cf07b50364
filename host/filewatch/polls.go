package filewatch

import (
	"errors"
	"fmt"
	"time"
)

// polls is the state of polling: when it is time, and what was told of it.
type polls struct {
	period time.Duration
	notice func(string)
	remedy func(error) string

	next  time.Time       // zero while nothing is polled
	told  map[string]bool // causes told since polling began
	retry bool            // some path is polled for a cause that may go away
}

// Deadline is when the polled paths are looked at next; ok is false while there is none.
func (p *polls) Deadline() (t time.Time, ok bool) { return p.next, !p.next.IsZero() }

// Due reports whether it is time to look at the polled paths.
func (p *polls) Due(now time.Time) bool {
	t, ok := p.Deadline()
	return ok && !now.Before(t)
}

// follow takes note, after a look, of which paths are polled, tells each cause once, and tells when none
// is left.
func (p *polls) follow(paths []*path, now time.Time) {
	polling := false
	p.retry = false
	for _, path := range paths {
		cause := path.cause()
		path.polled = cause != nil
		if cause == nil {
			continue
		}
		polling = true
		p.retry = p.retry || !isSilent(cause)
		p.tell(cause)
	}
	switch {
	case !polling && !p.next.IsZero():
		p.next, p.told = time.Time{}, nil
		p.notice("watching files again, without polling")
	case polling: // all of them were looked at just now
		p.next = now.Add(p.period)
	}
}

func (p *polls) tell(cause error) {
	root := cause
	for next := errors.Unwrap(root); next != nil; next = errors.Unwrap(root) {
		root = next
	}
	if p.told[root.Error()] {
		return
	}
	if p.told == nil {
		p.told = map[string]bool{}
	}
	p.told[root.Error()] = true
	message := fmt.Sprintf("polling files every %v: %v", p.period, cause)
	if remedy := p.remedy(cause); remedy != "" {
		message += "; " + remedy
	}
	p.notice(message)
}
