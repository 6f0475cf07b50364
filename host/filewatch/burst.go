package filewatch

import "time"

// burst decides when a run of hints is over: when none came for quiet, or when the first is max ago. It
// asks no clock. It is closed until the first hint.
type burst struct {
	quiet, max time.Duration

	open        bool
	first, last time.Time
}

// Hint says that something may have changed at now.
func (b *burst) Hint(now time.Time) {
	if !b.open {
		b.open, b.first = true, now
	}
	b.last = now
}

// Deadline is the time at which the burst is due if no further hint comes; ok is false while it is closed.
func (b *burst) Deadline() (t time.Time, ok bool) {
	t = b.last.Add(b.quiet)
	if end := b.first.Add(b.max); end.Before(t) {
		t = end
	}
	return t, b.open
}

// Due reports whether it is time to look.
func (b *burst) Due(now time.Time) bool {
	t, ok := b.Deadline()
	return ok && !now.Before(t)
}

// Spent reports whether the burst has lasted max, so that a further hint must not prolong it.
func (b *burst) Spent(now time.Time) bool {
	return b.open && !now.Before(b.first.Add(b.max))
}

// Close ends the burst; the next hint opens another.
func (b *burst) Close() { b.open = false }
