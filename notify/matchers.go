package notify

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// Cooldown is how long a repeating matcher sleeps after it fired.
const Cooldown = 15 * time.Second

// ErrNoMatcher is reported by Edit when what is to be removed is not there.
var ErrNoMatcher = errors.New("no such matcher")

// Match is one line that met one matcher.
type Match struct {
	Matcher  Matcher
	Index    int // of the matcher in the list, from 0
	Stream   proc.Stream
	Line     string   // the visible text, whole
	Captures []string // of the groups of a regular expression
}

// Matchers are the log matchers of one process and what they remember. They are not safe for concurrent
// use: who reads the process's output owns them.
type Matchers struct {
	all []*watch
}

type watch struct {
	Matcher
	literal []byte
	re      *regexp.Regexp
	fired   bool
	last    time.Time
}

// MaxLine is the length of the longest line that is looked at, in characters.
const MaxLine = text.MaxLine

// Watchable reports whether a line, its visible text, is looked at: it is neither empty nor too long.
func Watchable(line []byte) bool {
	return len(line) > 0 && (len(line) <= MaxLine || utf8.RuneCount(line) <= MaxLine)
}

// NewMatchers compiles list. It refuses all of it if anything is wrong (a *MatcherError).
func NewMatchers(list []Matcher) (*Matchers, error) {
	if err := CheckMatchers(list); err != nil {
		return nil, err
	}
	m := &Matchers{}
	for _, c := range list {
		m.all = append(m.all, newWatch(c))
	}
	return m, nil
}

// newWatch compiles a matcher that was checked.
func newWatch(c Matcher) *watch {
	w := &watch{Matcher: c, literal: []byte(c.Pattern)}
	if c.Mode == Regex {
		w.re = regexp.MustCompile(c.Pattern)
	}
	return w
}

// awake reports whether the matcher could fire at now.
func (w *watch) awake(now time.Time) bool {
	return !w.fired || w.Repeat && now.Sub(w.last) >= Cooldown
}

// Observe looks at one line, its visible text, at now (which never goes back) and returns the matches in
// the order of the list. It must be called for
// every line that is Watchable, in order.
func (m *Matchers) Observe(s proc.Stream, line []byte, now time.Time) []Match {
	var out []Match
	for i, w := range m.all {
		if !w.Stream.admits(s) || !w.awake(now) {
			continue
		}
		var captures []string
		if w.re == nil {
			if !bytes.Contains(line, w.literal) {
				continue
			}
		} else {
			groups := w.re.FindSubmatch(line)
			if groups == nil {
				continue
			}
			for _, g := range groups[1:] {
				captures = append(captures, string(g))
			}
		}
		w.fired, w.last = true, now
		out = append(out, Match{Matcher: w.Matcher, Index: i, Stream: s, Line: string(line), Captures: captures})
	}
	return out
}

// List returns the matchers in order.
func (m *Matchers) List() []Matcher {
	list := make([]Matcher, len(m.all))
	for i, w := range m.all {
		list[i] = w.Matcher
	}
	return list
}

// Adopt takes over list, as a reload does: a matcher that is equal to one that was there keeps what that
// one remembers. Nothing changes if list is refused.
func (m *Matchers) Adopt(list []Matcher) error {
	if err := CheckMatchers(list); err != nil {
		return err
	}
	old := m.all
	m.all = nil
	for _, c := range list {
		w := newWatch(c)
		for i, o := range old {
			if o != nil && o.Matcher == c {
				w, old[i] = o, nil
				break
			}
		}
		m.all = append(m.all, w)
	}
	return nil
}

// Append adds matchers at the end; those that are there keep what they remember.
func (m *Matchers) Append(list []Matcher) error {
	all := append(m.List(), list...)
	if err := CheckMatchers(all); err != nil {
		var me *MatcherError
		if errors.As(err, &me) {
			me.Index -= len(m.all) // the caller counts within what it gave
			if me.Field == "" {
				me.Err = fmt.Errorf("the process has %d matchers and may have %d in all", len(m.all), MaxMatchers)
			}
		}
		return err
	}
	for _, c := range list {
		m.all = append(m.all, newWatch(c))
	}
	return nil
}

// Replace sets the matchers afresh: nothing is remembered.
func (m *Matchers) Replace(list []Matcher) error {
	fresh, err := NewMatchers(list)
	if err != nil {
		return err
	}
	m.all = fresh.all
	return nil
}

// RemoveAt removes the matcher at index, counting from 0. The others keep what they remember.
func (m *Matchers) RemoveAt(index int) error {
	if index < 0 || index >= len(m.all) {
		return fmt.Errorf("index %d of %d matchers: %w", index, len(m.all), ErrNoMatcher)
	}
	m.all = append(m.all[:index:index], m.all[index+1:]...)
	return nil
}

// RemoveWhere removes every matcher that same reports true for. The others keep what they remember.
func (m *Matchers) RemoveWhere(same func(Matcher) bool) error {
	var kept []*watch
	for _, w := range m.all {
		if !same(w.Matcher) {
			kept = append(kept, w)
		}
	}
	if len(kept) == len(m.all) {
		return ErrNoMatcher
	}
	m.all = kept
	return nil
}
