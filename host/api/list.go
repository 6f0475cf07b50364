package api

// ListIn selects instances. What is unset selects all, in start order.
type ListIn struct {
	// Statuses are of: all, running, finished (exited well), failed (exited badly, or its stop timed out),
	// terminating, terminate_timeout, killed.
	Statuses []string `json:"statuses,omitempty"`
	SortBy   string   `json:"sortBy,omitempty"` // startTime_desc, startTime_asc, name_asc, name_desc, status_asc
	Limit    int      `json:"limit,omitempty"`
	Source   string   `json:"source,omitempty"`
	Session  string   `json:"session,omitempty"`
	// Latest leaves out instances that a newer one of the same name has followed.
	Latest bool `json:"latest,omitempty"`
}

// UsageIn selects live instances by id or name; none: all.
type UsageIn struct {
	IDs []string `json:"ids,omitempty"`
}

// Usage is what the tree of one live instance uses.
type Usage struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Processes int     `json:"processes"`
	CPUMillis int64   `json:"cpuMillis"` // processor time that it has used so far
	CPU       float64 `json:"cpu"`       // cores in use since the last time somebody asked, at first since its start
	Memory    int64   `json:"memory"`    // bytes that are resident, what is shared counted once per process
	Ports     []Port  `json:"ports"`
}

// Port is a socket on which somebody of the tree listens.
type Port struct {
	Protocol string `json:"protocol"` // "tcp" or "udp"
	Address  string `json:"address"`  // such as 127.0.0.1 or ::
	Port     int    `json:"port"`
	PID      int    `json:"pid"`
}

// ClearIn selects finished records by id or name; none: all that are finished.
type ClearIn struct {
	IDs []string `json:"ids,omitempty"`
}

// ClearOut is how many records were removed.
type ClearOut struct {
	Cleared int `json:"cleared"`
}
