package journal

import "time"

// SessionOpened says that a session is open. A later one with the same ID takes its place and leaves the inbox alone.
// IDs are never used again for another session.
type SessionOpened struct {
	ID    string
	Agent string // its kind
	Label string
	Cwd   string
	At    time.Time
}

func (*SessionOpened) kind() kind { return kindSessionOpened }

func (r *SessionOpened) fields(f *fields) {
	text(f, 1, &r.ID)
	text(f, 2, &r.Agent)
	text(f, 3, &r.Label)
	text(f, 4, &r.Cwd)
	f.time(5, &r.At)
}

// SessionClosed says that a session is over. It is forgotten, with its inbox.
type SessionClosed struct {
	ID string
}

func (*SessionClosed) kind() kind { return kindSessionClosed }

func (r *SessionClosed) fields(f *fields) { text(f, 1, &r.ID) }
