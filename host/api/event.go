package api

// Event is one thing that happened in a host. The set is closed: Started, Output, Changed, Ended, Notified,
// RecipeLoaded, Trouble and HostState; in streams
// of clients also Snapshot and Lagged.
type Event interface{ Head() *Header }

// Header is what every event carries.
type Header struct {
	Time int64  `json:"time"`
	Type string `json:"type"`
	Seq  uint64 `json:"seq,omitempty"` // rises by one per host; output has none
}

// Head returns the header, for the host to fill.
func (h *Header) Head() *Header { return h }

// Started says that an instance runs.
type Started struct {
	Header
	Process Info `json:"process"`
}

// Output is one line that an instance wrote.
type Output struct {
	Header
	ID     string `json:"id"`
	Name   string `json:"name"`
	Stream string `json:"stream"`
	Line   int64  `json:"line"` // number within the process, from 1
	// Text is the line as it came, escapes included, without its end; invalid UTF-8 is replaced.
	Text string `json:"text"`
}

// Changed says that something else of an instance changed: status, readiness, name.
type Changed struct {
	Header
	Process Info `json:"process"`
}

// Ended says that an instance ended.
type Ended struct {
	Header
	Process   Info       `json:"process"`
	Leftovers []Leftover `json:"leftovers,omitempty"`
}

// Leftover is a process that outlived the leader of its group.
type Leftover struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// Notified says that the reader was told something.
type Notified struct {
	Header
	Notification Notification `json:"notification"`
}

// RecipeLoaded says that the recipe was loaded, or could not be.
type RecipeLoaded struct {
	Header
	Path       string        `json:"path"`
	Generation int           `json:"generation"` // counts the good loads
	OK         bool          `json:"ok"`
	Added      []string      `json:"added,omitempty"`
	Removed    []string      `json:"removed,omitempty"`
	Restarted  []string      `json:"restarted,omitempty"`
	Updated    []string      `json:"updated,omitempty"`
	Kept       []string      `json:"kept,omitempty"`
	Errors     []RecipeError `json:"errors,omitempty"`
}

// RecipeError is one thing that is wrong with a recipe.
type RecipeError struct {
	File    string `json:"file"` // relative to the recipe's folder
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Trouble says that something beside the processes does not work as it should.
type Trouble struct {
	Header
	What    string `json:"what"`
	Message string `json:"message"`
}

// HostState says what the host does: ready, stopping, stopped.
type HostState struct {
	Header
	State    string   `json:"state"`
	Blocking []string `json:"blocking,omitempty"` // names of what is still to end
}

// Snapshot is how things stand when a stream of events begins.
type Snapshot struct {
	Header
	Processes []Info       `json:"processes"` // as process.list tells them
	Recipe    RecipeStatus `json:"recipe"`
	Host      HostInfo     `json:"host"`
	Missed    bool         `json:"missed,omitempty"` // events after the number that was asked for are no longer kept
}

// Lagged says that a reader was too slow and has missed some of the stream.
type Lagged struct {
	Header
	Missed int64 `json:"missed"` // events or lines
}

// New returns e with its type filled in.
func typed[E Event](e E, word string) E {
	e.Head().Type = word
	return e
}

// NewStarted and its like return an event that lacks only its time and number.
func NewStarted(p Info) *Started { return typed(&Started{Process: p}, "started") }

// NewOutput returns a line of output.
func NewOutput(o Output) *Output { return typed(&o, "output") }

// NewChanged returns a change.
func NewChanged(p Info) *Changed { return typed(&Changed{Process: p}, "changed") }

// NewEnded returns an end.
func NewEnded(p Info, left []Leftover) *Ended {
	return typed(&Ended{Process: p, Leftovers: left}, "ended")
}

// NewNotified returns a notification.
func NewNotified(n Notification) *Notified { return typed(&Notified{Notification: n}, "notification") }

// NewRecipe returns the outcome of a load.
func NewRecipe(r RecipeLoaded) *RecipeLoaded { return typed(&r, "recipe") }

// NewTrouble returns a trouble.
func NewTrouble(what, message string) *Trouble {
	return typed(&Trouble{What: what, Message: message}, "trouble")
}

// NewHostState returns a state of the host.
func NewHostState(state string, blocking []string) *HostState {
	return typed(&HostState{State: state, Blocking: blocking}, "host")
}

// NewSnapshot returns how things stand.
func NewSnapshot(s Snapshot) *Snapshot { return typed(&s, "snapshot") }

// NewLagged returns that a reader has missed some.
func NewLagged(missed int64) *Lagged { return typed(&Lagged{Missed: missed}, "lagged") }
