package recipe

import (
	"cmp"
	"slices"

	"github.com/prochost/prochost/notify"
)

// Change is what the difference between two declarations of one process asks for while it runs. Greater
// ones include the smaller.
type Change uint8

const (
	Same        Change = iota
	AtNextStart        // it counts from the next start
	AtOnce             // it is applied to what runs
	ByRestart          // what runs is stopped, as asked, and started again
	NumChanges  int    = iota
)

var changeWords = [NumChanges]string{"none", "next start", "live", "restart"}

// String returns the word of the documentation.
func (c Change) String() string { return changeWords[c] }

// Compare returns what the step from old to new asks for. Where a process is declared is no part of it, nor
// is the order of its environment, its dependencies and its success codes.
func Compare(old, new Process) Change {
	switch {
	case !old.Run.equal(new.Run):
		return ByRestart
	case old.Description != new.Description,
		!equalNotify(old.Notify, new.Notify),
		old.Words != new.Words,
		old.Restart != new.Restart,
		!old.Stop.WithDefaults().Equal(new.Stop.WithDefaults()),
		old.Leftovers != new.Leftovers:
		return AtOnce
	case old.Job != new.Job,
		old.Auto != new.Auto,
		!sameSet(old.Depends, new.Depends, compareDependencies),
		!equalReady(old.Ready, new.Ready),
		!sameSet(old.SuccessCodes, new.SuccessCodes, cmp.Compare),
		old.TurnDelivery != new.TurnDelivery,
		old.Log != new.Log:
		return AtNextStart
	}
	return Same
}

func (r Run) equal(s Run) bool {
	return r.Command == s.Command &&
		slices.Equal(r.Argv, s.Argv) &&
		slices.Equal(r.Shell, s.Shell) &&
		r.Dir == s.Dir &&
		sameSet(r.Env, s.Env, cmp.Compare) &&
		r.Stdin == s.Stdin &&
		r.PTY == s.PTY
}

// equalNotify minds the order of the matchers: their index is told.
func equalNotify(a, b notify.Config) bool {
	return a.OnSuccess == b.OnSuccess && a.OnFailure == b.OnFailure && a.OnKilled == b.OnKilled &&
		slices.Equal(a.LogMatches, b.LogMatches)
}

func equalReady(a, b *Ready) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func compareDependencies(a, b Dependency) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Condition, b.Condition))
}

// sameSet reports whether a and b hold the same elements in whatever order.
func sameSet[E comparable](a, b []E, compare func(E, E) int) bool {
	return slices.Equal(slices.SortedFunc(slices.Values(a), compare), slices.SortedFunc(slices.Values(b), compare))
}
