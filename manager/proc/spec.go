package proc

import (
	"slices"
	"syscall"
	"time"
)

// Spec says how to run a process. It is complete: nothing is looked up in the environment of the host
// when it is started.
type Spec struct {
	Name string
	// Command is run by Shell as one argument after its flags; if it is empty, Argv is run without
	// a shell. Exactly one of the two is set.
	Command string
	Argv    []string
	Shell   []string // program and flags, such as {"/bin/sh", "-c"}; set when Command is
	Dir     string   // absolute
	Env     []string // "KEY=value", the whole environment
	Stdin   Stdin
	// PTY: its streams are one terminal of its own, and all that it writes is Stdout. Stdin may still be the
	// null device.
	PTY    bool
	Window Window // of the terminal at the start; zero means DefaultWindow
	Stop   StopSpec
	// Leftovers says what becomes of the group's members that outlive the leader.
	Leftovers    Leftovers
	SuccessCodes []int // codes beside 0 that count as success
	// Delivery is how the end is told; a foreground call holds a claim on it.
	Delivery Delivery
	Source   string // who started it, in the starter's own word: "recipe", "claude" …
}

// Stdin says what a process reads.
type Stdin uint8

const (
	StdinPipe Stdin = iota // a pipe that is held open until it is closed by a request, or the terminal
	StdinNull              // the null device
)

// Window is the size of a terminal, in characters.
type Window struct{ Rows, Cols uint16 }

// DefaultWindow is the size of a terminal that nobody looks at.
var DefaultWindow = Window{Rows: 24, Cols: 80}

// StopSpec is how a process wishes to be stopped. Zero values mean the defaults.
type StopSpec struct {
	Signal syscall.Signal // default SIGTERM
	Grace  time.Duration  // time until SIGKILL, default DefaultGrace
	// ParentOnly: the signal goes to the leader alone. Nobody else of the process is asked, and those who
	// live when the grace is over get SIGKILL.
	ParentOnly bool
	// Command, a program and its arguments, is run in place of the signal, in the directory and the
	// environment of the process, where PROCHOST_PID is the leader's pid. If it fails the signal is sent.
	Command []string
}

// DefaultGrace is the time between the first signal of a stop and SIGKILL.
const DefaultGrace = 5 * time.Second

// WithDefaults fills what is unset.
func (s StopSpec) WithDefaults() StopSpec {
	if s.Signal == 0 {
		s.Signal = syscall.SIGTERM
	}
	if s.Grace == 0 {
		s.Grace = DefaultGrace
	}
	return s
}

// Equal reports whether s and t ask for the same.
func (s StopSpec) Equal(t StopSpec) bool {
	return s.Signal == t.Signal && s.Grace == t.Grace && s.ParentOnly == t.ParentOnly && slices.Equal(s.Command, t.Command)
}

// Leftovers says what becomes of members of a group that outlive its leader.
type Leftovers uint8

const (
	EndLeftovers  Leftovers = iota // SIGTERM, and after a second SIGKILL
	KeepLeftovers                  // left alone
)

// Completion says who tells the end of a process.
type Completion uint8

const (
	Notify    Completion = iota // a notification does
	ClaimTool                   // a foreground call waits and reports the end itself
)

// Turn says when a lifecycle notification that wakes an agent reaches a busy one.
type Turn uint8

const (
	Steer    Turn = iota // after its current tool calls
	FollowUp             // when its run has settled
)

// Delivery is how the end of a process is told.
type Delivery struct {
	Completion Completion
	Turn       Turn
}

// Released is the delivery after the foreground wait is over.
func (Delivery) Released() Delivery { return Delivery{Completion: Notify, Turn: FollowUp} }

// CommandLine returns what is run as one string: Command, or Argv quoted for a POSIX shell.
func (s Spec) CommandLine() string {
	if s.Command != "" {
		return s.Command
	}
	return QuoteArgv(s.Argv)
}

// Clone returns a deep copy.
func (s Spec) Clone() Spec {
	s.Argv = slices.Clone(s.Argv)
	s.Shell = slices.Clone(s.Shell)
	s.Env = slices.Clone(s.Env)
	s.SuccessCodes = slices.Clone(s.SuccessCodes)
	s.Stop.Command = slices.Clone(s.Stop.Command)
	return s
}
