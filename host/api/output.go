package api

// OutputIn asks for the last lines of an instance.
type OutputIn struct {
	ID        string `json:"id"`
	Stream    string `json:"stream,omitempty"`    // "both" (default), "stdout" or "stderr"
	TailLines *int   `json:"tailLines,omitempty"` // default 100, at most 2000
	Pattern   string `json:"pattern,omitempty"`   // only lines that match
	Mode      string `json:"mode,omitempty"`      // "literal" (default) or "regex"
}

// OutputOut is text to be read: visible text, at most 50 KiB.
type OutputOut struct {
	Text      string   `json:"text"`
	Lines     int      `json:"lines"`
	Truncated string   `json:"truncated,omitempty"` // what was cut, in words, and where the whole log is
	Files     LogFiles `json:"files"`
}

// TailIn asks for the last lines.
type TailIn struct {
	ID        string `json:"id"`
	TailLines *int   `json:"tailLines,omitempty"` // default 100, at most 2000
}

// CombinedLine is one line of either stream.
type CombinedLine struct {
	Type string `json:"type"` // "stdout" or "stderr"
	Text string `json:"text"`
}

// LogFiles are the paths of the newest segments.
type LogFiles struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// FileSize is how many bytes are on disk.
type FileSize struct {
	Stdout int64 `json:"stdout"`
	Stderr int64 `json:"stderr"`
	Total  int64 `json:"total"`
}

// LogsIn asks for lines of one or several instances, in the order of their arrival.
type LogsIn struct {
	IDs       []string `json:"ids,omitempty"`       // ids or names; none: all
	TailLines *int     `json:"tailLines,omitempty"` // per name; default: all
	Since     int64    `json:"since,omitempty"`     // Unix ms
	Stream    string   `json:"stream,omitempty"`    // "both" (default), "stdout" or "stderr"
	Pattern   string   `json:"pattern,omitempty"`   // only lines that match
	Mode      string   `json:"mode,omitempty"`      // "literal" (default) or "regex"
	// Follow goes on with what is written, until every named instance has ended; without names, and with
	// Successors, later instances of the same names are followed too, until the host stops.
	Follow     bool `json:"follow,omitempty"`
	Successors bool `json:"successors,omitempty"`
}

// EventsIn asks for events.
type EventsIn struct {
	// Since is the number of the last event that was seen: those after it come first. If they are no longer kept, the
	// snapshot says so.
	Since   *uint64  `json:"since,omitempty"`
	Output  bool     `json:"output,omitempty"`  // lines too
	Types   []string `json:"types,omitempty"`   // only these; the snapshot always comes
	Session string   `json:"session,omitempty"` // notifications of this session; default: those of the project
}
