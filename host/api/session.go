package api

// SessionOpenIn attaches a reader. With ID it takes up a session that is open.
type SessionOpenIn struct {
	ID    string `json:"id,omitempty"`
	Agent string `json:"agent,omitempty"` // kind: claude, pi, codex …
	Label string `json:"label,omitempty"`
	Cwd   string `json:"cwd,omitempty"`
}

// Session is a reader with an inbox.
type Session struct {
	ID      string `json:"id"`
	Agent   string `json:"agent"`
	Label   string `json:"label"`
	Cwd     string `json:"cwd"`
	Opened  int64  `json:"opened"`
	Last    uint64 `json:"last"`    // number of the last notification
	Acked   uint64 `json:"acked"`   // number up to which all are acknowledged
	Pending int    `json:"pending"` // not acknowledged
}

// SessionRef names a session.
type SessionRef struct {
	Session string `json:"session"`
}

// SessionCloseOut says what the end of a session has stopped.
type SessionCloseOut struct {
	Stopped []Info `json:"stopped"`
}

// InboxTakeIn asks for what is not acknowledged.
type InboxTakeIn struct {
	Session string `json:"session"`
	Max     int    `json:"max,omitempty"` // default 100
	// WaitMs waits so long for the first one.
	WaitMs int64  `json:"waitMs,omitempty"`
	After  uint64 `json:"after,omitempty"` // leave out those up to this number
}

// InboxTakeOut are notifications, oldest first. They stay in the inbox until they are acknowledged.
type InboxTakeOut struct {
	Notifications []Notification `json:"notifications"`
	More          bool           `json:"more"` // there are more than Max
}

// InboxAckIn acknowledges all up to and with a number.
type InboxAckIn struct {
	Session string `json:"session"`
	UpTo    uint64 `json:"upTo"`
}

// InboxAckOut is how many were acknowledged by this, and how many are left.
type InboxAckOut struct {
	Acked   int `json:"acked"`
	Pending int `json:"pending"`
}
