package api

// StartIn says what to start. With neither Command nor Argv it is the process of the recipe that bears Name.
type StartIn struct {
	Name    string   `json:"name,omitempty"`    // default: the first word of the command
	Command string   `json:"command,omitempty"` // run by the shell
	Argv    []string `json:"argv,omitempty"`    // run without a shell
	Cwd     string   `json:"cwd,omitempty"`     // absolute; default: the folder of the project
	// Env is added to Environ, or to the environment of the host if that is absent.
	Env     map[string]string `json:"env,omitempty"`
	Environ []string          `json:"environ,omitempty"` // "KEY=value": the whole environment of the caller
	Notify  *NotifyIn         `json:"notify,omitempty"`
	Source  string            `json:"source,omitempty"` // who starts it, in the caller's own word

	CompletionDelivery string `json:"completionDelivery,omitempty"` // "notify" (default), or "tool": the caller waits and tells the end itself
	TurnDelivery       string `json:"turnDelivery,omitempty"`       // "steer" (default) or "followUp"
	Stdin              string `json:"stdin,omitempty"`              // "pipe" (default) or "null"
	PTY                bool   `json:"pty,omitempty"`                // on a terminal of its own
	Session            string `json:"session,omitempty"`            // who owns it; default: the project
	Keep               bool   `json:"keep,omitempty"`               // it outlives its session
}

// NotifyIn says how loudly a process is told of. What is unset has its default.
type NotifyIn struct {
	OnSuccess  string      `json:"onSuccess,omitempty"` // "turn", "context" or "ignore"
	OnFailure  string      `json:"onFailure,omitempty"`
	OnKilled   string      `json:"onKilled,omitempty"`
	LogMatches []MatcherIn `json:"logMatches,omitempty"`
}

// MatcherIn is one log watch.
type MatcherIn struct {
	Pattern string `json:"pattern"`
	Mode    string `json:"mode,omitempty"`   // "literal" (default) or "regex"
	Stream  string `json:"stream,omitempty"` // "both" (default), "stdout" or "stderr"
	Repeat  bool   `json:"repeat,omitempty"`
	On      string `json:"on,omitempty"` // "turn" (default), "context" or "ignore"
}

// UpdateIn changes a live process.
type UpdateIn struct {
	ID      string     `json:"id"`
	Name    string     `json:"name,omitempty"`
	Watches *WatchesIn `json:"watches,omitempty"`
}

// WatchesIn changes the log watches of a live process.
type WatchesIn struct {
	Mode  string        `json:"mode"` // "append", "replace", "remove" or "clear"
	Items []WatchItemIn `json:"items,omitempty"`
}

// WatchItemIn is a watch to be added, or says which are to be removed: the one at Index, else all that are equal in
// what is given.
type WatchItemIn struct {
	Index   *int    `json:"index,omitempty"` // from 0; to remove
	Pattern string  `json:"pattern,omitempty"`
	Mode    *string `json:"mode,omitempty"`
	Stream  *string `json:"stream,omitempty"`
	Repeat  *bool   `json:"repeat,omitempty"`
	On      *string `json:"on,omitempty"`
}

// UpdateOut is what the process has after an update.
type UpdateOut struct {
	Process Info        `json:"process"`
	Watches []MatcherIn `json:"watches"`
}
