// Package recipe holds the values that a recipe declares, free of Lua. Loading makes them, the host
// compares them with what runs (Diff) and acts on the difference.
package recipe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// Recipe is everything that one load declared.
type Recipe struct {
	Processes []Process // in order of declaration, names unique, dependencies known and free of cycles
}

// Process returns the declaration of name.
func (r Recipe) Process(name string) (Process, bool) {
	for _, p := range r.Processes {
		if p.Name == name {
			return p, true
		}
	}
	return Process{}, false
}

// Place is a place in a recipe file.
type Place struct {
	File string // absolute
	Line int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Process is one declaration.
type Process struct {
	Name  string
	Where Place
	Job   bool // expected to end

	Run Run // how it is run: a change of any of it restarts the process

	// What changes live.
	Description string
	Notify      notify.Config
	Words       bool // it has a hook of its own for its notifications
	Restart     Restart
	Stop        proc.StopSpec
	Leftovers   proc.Leftovers

	// What counts from the next start.
	Auto         bool
	Depends      []Dependency
	Ready        *Ready // nil: it has no readiness
	SuccessCodes []int
	TurnDelivery proc.Turn
	Log          Log
}

// Log says how much of its output is kept. Zero values mean the defaults of the host.
type Log struct {
	Cap  int64 // bytes of one stream
	Keep int   // files of one stream that these are in
}

// Run is how a process is run. Exactly one of Command and Argv is set.
type Run struct {
	Command string   // for Shell
	Argv    []string // without a shell
	Shell   []string // program and flags
	Dir     string   // absolute
	Env     []string // "KEY=value", sorted by key: the whole environment
	Stdin   proc.Stdin
	PTY     bool // on a terminal of its own
}

// Dependency is one thing that a process waits for before it starts.
type Dependency struct {
	Name      string
	Condition Condition
}

// Condition is what must be true of a dependency.
type Condition uint8

const (
	OnStarted     Condition = iota // it runs, or has run
	OnReady                        // it is ready
	OnSuccess                      // it has ended well
	OnExit                         // it has ended in any way
	NumConditions int       = iota
)

var conditionWords = [NumConditions]string{"started", "ready", "success", "exit"}

// String returns the word of the recipe.
func (c Condition) String() string { return conditionWords[c] }

// Ready says when a process is ready: when a line of its output meets a pattern.
type Ready struct {
	Log  string
	Mode notify.Mode
}

// Restart says when a process that ended by itself is started again.
type Restart struct {
	On       RestartOn
	Delay    time.Duration // before the first restart
	Backoff  float64       // factor from one delay to the next; 1 keeps it
	MaxDelay time.Duration
	Max      int           // restarts in a row; -1: no limit
	Healthy  time.Duration // a run at least this long starts the row anew
}

// RestartOn is a kind of end that leads to a restart.
type RestartOn uint8

const (
	Never     RestartOn = iota
	OnFailure           // any end but success
	Always
)

// String returns the word of the recipe.
func (r RestartOn) String() string { return [...]string{"never", "failure", "always"}[r] }

// DefaultRestart is what a restart that says only when has for the rest.
func DefaultRestart(on RestartOn) Restart {
	return Restart{On: on, Delay: 500 * time.Millisecond, Backoff: 1, MaxDelay: time.Minute, Max: -1, Healthy: 10 * time.Second}
}

// DelayBefore returns how long to wait before the n-th restart of a row, counting from 1; ok is false if the
// row is over.
func (r Restart) DelayBefore(n int) (d time.Duration, ok bool) {
	if r.Max >= 0 && n > r.Max {
		return 0, false
	}
	f := float64(r.Delay)
	for range n - 1 {
		f *= r.Backoff
		if f >= float64(r.MaxDelay) {
			break
		}
	}
	return max(min(time.Duration(f), r.MaxDelay), 0), true
}

// terminalType is what a terminal that prochost makes is called in TERM, if the environment calls it nothing.
const terminalType = "TERM=xterm-256color"

// Spec returns what the manager runs.
func (p Process) Spec() proc.Spec {
	s := proc.Spec{
		Name:         p.Name,
		Command:      p.Run.Command,
		Argv:         p.Run.Argv,
		Shell:        p.Run.Shell,
		Dir:          p.Run.Dir,
		Env:          p.Run.Env,
		Stdin:        p.Run.Stdin,
		PTY:          p.Run.PTY,
		Stop:         p.Stop,
		Leftovers:    p.Leftovers,
		SuccessCodes: p.SuccessCodes,
		Delivery:     proc.Delivery{Turn: p.TurnDelivery},
		Source:       "recipe",
	}.Clone()
	if s.PTY && !slices.ContainsFunc(s.Env, func(e string) bool { return strings.HasPrefix(e, "TERM=") }) {
		s.Env = append(s.Env, terminalType)
	}
	return s
}
