package notify

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

const (
	// MaxMatchesPerWindow is how many log matches of a session are told in one window.
	MaxMatchesPerWindow = 20
	// Window opens at the first match and closes this much later.
	Window = 60 * time.Second
)

// Limiter bounds how many log matches a session is told. It takes a Match and nothing else: an end cannot
// be limited. The zero Limiter is ready for use.
type Limiter struct {
	opened     time.Time
	open       bool
	sent       int
	suppressed int
}

// Admit takes a match at now and returns what is to be told: the summary of a window that is over, if it
// has one, and the match, if it is within the limit.
func (l *Limiter) Admit(m Match, about proc.Info, now time.Time) []Notification {
	var out []Notification
	if s, ok := l.Tick(now); ok {
		out = append(out, s)
	}
	if !l.open {
		*l = Limiter{opened: now, open: true}
	}
	if l.sent == MaxMatchesPerWindow {
		l.suppressed++
		return out
	}
	l.sent++
	return append(out, Notification{kind: LogMatch, attention: m.Matcher.On.Attention(), at: now, about: about, match: m})
}

// Deadline is the time at which Tick has something to tell; ok is false while it would have nothing.
func (l *Limiter) Deadline() (t time.Time, ok bool) {
	return l.opened.Add(Window), l.open && l.suppressed > 0
}

// Tick closes the window if it is over at now, and returns its summary if matches were suppressed.
func (l *Limiter) Tick(now time.Time) (summary Notification, ok bool) {
	if !l.open || now.Before(l.opened.Add(Window)) {
		return Notification{}, false
	}
	return l.Flush(now)
}

// Flush closes the window at once, as a shutdown does.
func (l *Limiter) Flush(now time.Time) (summary Notification, ok bool) {
	n := l.suppressed
	*l = Limiter{}
	return Notification{kind: Suppressed, attention: Context, at: now, suppressed: n}, n > 0
}
