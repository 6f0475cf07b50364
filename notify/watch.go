package notify

import (
	"bytes"
	"regexp"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/scan"
)

// watch is a compiled matcher and what it remembers.
type watch struct {
	Matcher
	literal []byte
	re      *regexp.Regexp // nil for a literal
	needs   []scan.Literal // one of them is in every line that it meets; nil if none are known
	fired   bool
	last    time.Time
}

// newWatch compiles a matcher that was checked.
func newWatch(c Matcher) *watch {
	w := &watch{Matcher: c, literal: []byte(c.Pattern), needs: c.needs()}
	if c.Mode == Regex {
		w.re = regexp.MustCompile(c.Pattern)
	}
	return w
}

// needs returns literals of which one is in every line that m meets, nil if none are known.
func (m Matcher) needs() []scan.Literal {
	if m.Mode == Regex {
		return scan.Required(m.Pattern)
	}
	return []scan.Literal{{Text: m.Pattern}}
}

// Costly reports whether the matcher must be tried on every line by itself, since no text is known that a
// line must have to meet it. That takes some microseconds a line, many times as much as all others
// together.
func (m Matcher) Costly() bool { return m.needs() == nil }

// awake reports whether a line of s could meet the matcher at now.
func (w *watch) awake(s proc.Stream, now time.Time) bool {
	return w.Stream.admits(s) && (!w.fired || w.Repeat && now.Sub(w.last) >= Cooldown)
}

// wakes returns when a repeating matcher that has fired is awake again.
func (w *watch) wakes() time.Time { return w.last.Add(Cooldown) }

// match reports whether the line meets the matcher, and the groups of a regular expression.
func (w *watch) match(line []byte) (captures []string, ok bool) {
	if w.re == nil {
		return nil, bytes.Contains(line, w.literal)
	}
	groups := w.re.FindSubmatch(line)
	if groups == nil {
		return nil, false
	}
	for _, g := range groups[1:] {
		captures = append(captures, string(g))
	}
	return captures, true
}
