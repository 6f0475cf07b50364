package notify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Cooldown is how long a repeating matcher sleeps after it fired.
const Cooldown = 15 * time.Second

// ErrNoMatcher is reported by Edit when what is to be removed is not there.
var ErrNoMatcher = errors.New("no such matcher")

// Matchers are the log matchers of one process and what they remember. They are not safe for concurrent
// use: who reads the process's output owns them.
type Matchers struct {
	all    []*watch
	sieves [proc.NumStreams]sieve // made of all
}

// put sets the matchers.
func (m *Matchers) put(all []*watch) {
	m.all, m.sieves = all, [proc.NumStreams]sieve{}
}

// NewMatchers compiles list. It refuses all of it if anything is wrong (a *MatcherError).
func NewMatchers(list []Matcher) (*Matchers, error) {
	if err := CheckMatchers(list); err != nil {
		return nil, err
	}
	var all []*watch
	for _, c := range list {
		all = append(all, newWatch(c))
	}
	return &Matchers{all: all}, nil
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
	old := slices.Clone(m.all)
	var all []*watch
	for _, c := range list {
		i := slices.IndexFunc(old, func(o *watch) bool { return o != nil && o.Matcher == c })
		if i < 0 {
			all = append(all, newWatch(c))
			continue
		}
		all, old[i] = append(all, old[i]), nil
	}
	m.put(all)
	return nil
}

// Append adds matchers at the end; those that are there keep what they remember.
func (m *Matchers) Append(list []Matcher) error {
	if err := CheckMatchers(append(m.List(), list...)); err != nil {
		var me *MatcherError
		if errors.As(err, &me) {
			me.Index -= len(m.all) // the caller counts within what it gave
			if me.Field == "" {
				me.Err = fmt.Errorf("the process has %d matchers and may have %d in all", len(m.all), MaxMatchers)
			}
		}
		return err
	}
	all := slices.Clone(m.all)
	for _, c := range list {
		all = append(all, newWatch(c))
	}
	m.put(all)
	return nil
}

// Replace sets the matchers afresh: nothing is remembered.
func (m *Matchers) Replace(list []Matcher) error {
	fresh, err := NewMatchers(list)
	if err != nil {
		return err
	}
	m.put(fresh.all)
	return nil
}

// RemoveAt removes the matcher at index, counting from 0. The others keep what they remember.
func (m *Matchers) RemoveAt(index int) error {
	if index < 0 || index >= len(m.all) {
		return fmt.Errorf("index %d of %d matchers: %w", index, len(m.all), ErrNoMatcher)
	}
	m.put(slices.Delete(slices.Clone(m.all), index, index+1))
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
	m.put(kept)
	return nil
}
