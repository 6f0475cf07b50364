package api

// WriteIn is what to write to the standard input.
type WriteIn struct {
	ID    string `json:"id"`
	Input string `json:"input,omitempty"`
	Data  []byte `json:"data,omitempty"` // in place of Input: bytes that need not be text
	End   bool   `json:"end,omitempty"`  // close the input after it
}

// Bytes are what is to be written.
func (in WriteIn) Bytes() []byte {
	if len(in.Data) > 0 {
		return in.Data
	}
	return []byte(in.Input)
}

// WriteOut is how much was taken: all, or less by a process that does not read, and the input then stays open.
type WriteOut struct {
	Written int    `json:"written"` // bytes
	Reason  string `json:"reason,omitempty"`
}

// SignalIn is a signal for the group of an instance.
type SignalIn struct {
	ID     string `json:"id"`
	Signal string `json:"signal"` // such as "SIGHUP", "HUP" or "1"
}

// KillIn is one signal, after which the end is waited for.
type KillIn struct {
	ID        string `json:"id"`
	Signal    string `json:"signal,omitempty"`    // default SIGTERM
	TimeoutMs *int64 `json:"timeoutMs,omitempty"` // default 3000
}

// StopIn is a stop. What is unset is as the process wishes to be stopped.
type StopIn struct {
	ID      string `json:"id"`
	Signal  string `json:"signal,omitempty"`
	GraceMs *int64 `json:"graceMs,omitempty"` // until SIGKILL
	Force   bool   `json:"force,omitempty"`   // SIGKILL at once
}

// StopOut is what a stop or kill has come to.
type StopOut struct {
	OK        bool       `json:"ok"` // nothing of the process lives any more
	Info      Info       `json:"info"`
	Reason    string     `json:"reason,omitempty"` // "timeout"
	Survivors []Leftover `json:"survivors,omitempty"`
	Escaped   []Leftover `json:"escaped,omitempty"` // left the session without a trace; not touched
	Killed    bool       `json:"killed,omitempty"`  // the grace was over and SIGKILL ended it
}

// RestartIn is a restart. The next instance starts when the last one has ended.
type RestartIn struct {
	ID    string `json:"id"`
	Force bool   `json:"force,omitempty"` // SIGKILL at once
}

// WaitIn is what to wait for: For, or Pattern.
type WaitIn struct {
	ID        string `json:"id"`
	For       string `json:"for,omitempty"`       // "ended" (default) or "ready"
	Pattern   string `json:"pattern,omitempty"`   // a line, also one that is there already
	Mode      string `json:"mode,omitempty"`      // "literal" (default) or "regex"
	TimeoutMs *int64 `json:"timeoutMs,omitempty"` // default: without an end
}

// WaitOut is what happened.
type WaitOut struct {
	What string `json:"what"` // "ended", "ready", "matched" or "timeout"; "ended" also when the awaited can no longer come
	Info Info   `json:"info"`
	Line string `json:"line,omitempty"` // that matched
}

// WhyOut explains the state of a process.
type WhyOut struct {
	Name   string   `json:"name"`
	Status string   `json:"status"`
	Text   string   `json:"text"`            // one sentence
	Chain  []string `json:"chain,omitempty"` // the sentences of what it rests on, the nearest first
	// NextStart is when it is started again, in Unix milliseconds.
	NextStart *int64 `json:"nextStart,omitempty"`
	Needs     string `json:"needs,omitempty"`     // name of the dependency that it waits for
	StoppedBy string `json:"stoppedBy,omitempty"` // user, shutdown, reload, restart or exit-on
	Process   *Info  `json:"process,omitempty"`   // the newest instance
}
