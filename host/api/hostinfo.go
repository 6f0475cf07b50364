package api

// Protocol is the number of the protocol that this package speaks. A client and a host of different numbers
// understand host.info, process.list, process.stop and host.shutdown of each other.
const Protocol = 1

// HostInfoIn introduces a client.
type HostInfoIn struct {
	Client   string `json:"client,omitempty"` // what it is: cli, mcp, tui …
	Version  string `json:"version,omitempty"`
	Protocol int    `json:"protocol,omitempty"`
	Session  string `json:"session,omitempty"` // on whose behalf it asks from here on
}

// HostInfo says who a host is.
type HostInfo struct {
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
	PID      int    `json:"pid"`
	Project  string `json:"project"` // its folder
	Recipe   string `json:"recipe"`
	Started  int64  `json:"started"`
	State    string `json:"state"` // starting, ready, stopping
	Live     int    `json:"live"`  // instances
	Seq      uint64 `json:"seq"`   // number of the last event
	LogDir   string `json:"logDir"`
}

// HostShutdownIn ends the host.
type HostShutdownIn struct {
	Force bool `json:"force,omitempty"` // SIGKILL at once
}

// HostShutdownOut is the answer once nothing runs any more.
type HostShutdownOut struct {
	Stopped int `json:"stopped"` // instances that were live
}

// RecipeReloadIn asks for a reload.
type RecipeReloadIn struct {
	DryRun     bool `json:"dryRun,omitempty"`     // say what would change, and change nothing
	AllowEmpty bool `json:"allowEmpty,omitempty"` // apply a recipe that declares nothing where it declared something
}

// RecipeStatus is the recipe in force.
type RecipeStatus struct {
	Path       string   `json:"path"`
	Generation int      `json:"generation"` // counts the good loads
	Loaded     int64    `json:"loaded"`     // when, in Unix milliseconds; 0: not yet
	Processes  []string `json:"processes"`
	// Depends says of each process that rests on others what it needs of each: name → "started", "ready", "success" or
	// "exit".
	Depends map[string]map[string]string `json:"depends,omitempty"`
	Errors  []RecipeError                `json:"errors"` // of the newest save, if it is not in force
}
