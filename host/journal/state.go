package journal

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prochost/prochost/manager/proc"
)

// State is what the records of a host amount to. Apply makes it from them; it asks nothing else, so the same records
// always make the same State. It is used by one goroutine at a time.
type State struct {
	lives    map[proc.ID]*life
	sessions map[string]*session
	// notified are the notifications that are in an inbox.
	notified map[uint64]*notified
	place    uint64 // of the last life or session in the order of their first records

	notification uint64 // highest number of a notification
	event        uint64 // highest number of an event that is reserved
}

// life is what is known of an instance.
type life struct {
	Life
	place uint64
}

// Life is an instance with what became of it.
type Life struct {
	Instance
	Stopping *Stopping // nil: nobody asked for its end
	Ended    *Ended    // nil while it is live, as far as is known
}

type session struct {
	SessionOpened
	place uint64
	last  uint64  // highest number
	inbox []*item // by number
}

// item is a notification in an inbox.
type item struct {
	number    uint64
	delivered bool
	*notified
}

type notified struct {
	Notified     // without To
	holders  int // inboxes that it is in
}

// Session is an open session.
type Session struct {
	SessionOpened        // only the ID is set if nothing else is known
	Last          uint64 // number of its last notification
	Acknowledged  uint64 // number up to which all are acknowledged
	Pending       int    // notifications in its inbox
}

// Pending is a notification in an inbox.
type Pending struct {
	Number       uint64 // in the session
	Notification uint64 // in the host
	Attention    string
	Delivered    bool
	Payload      string
}

// NewState returns the State of a host that has no records.
func NewState() *State {
	return &State{lives: map[proc.ID]*life{}, sessions: map[string]*session{}, notified: map[uint64]*notified{}}
}

// Clone returns a State that changes by itself. The records within are shared; nobody changes those.
func (s *State) Clone() *State {
	clone := NewState()
	for records := range s.snapshot {
		for _, r := range records {
			clone.Apply(r)
		}
	}
	return clone
}

// Lives returns all instances in the order in which they became known.
func (s *State) Lives() []Life {
	var out []Life
	for _, l := range s.ordered() {
		out = append(out, l.Life)
	}
	return out
}

func (s *State) ordered() []*life {
	return slices.SortedFunc(maps.Values(s.lives), func(a, b *life) int { return cmp.Compare(a.place, b.place) })
}

// Life returns an instance; ok is false if it is not known.
func (s *State) Life(id proc.ID) (l Life, ok bool) {
	if l := s.lives[id]; l != nil {
		return l.Life, true
	}
	return Life{}, false
}

// Sessions returns the open sessions in the order in which they became known.
func (s *State) Sessions() []Session {
	var out []Session
	for _, in := range s.orderedSessions() {
		out = append(out, in.session())
	}
	return out
}

func (s *State) orderedSessions() []*session {
	return slices.SortedFunc(maps.Values(s.sessions), func(a, b *session) int { return cmp.Compare(a.place, b.place) })
}

// Session returns an open session; ok is false if there is none.
func (s *State) Session(id string) (out Session, ok bool) {
	if in := s.sessions[id]; in != nil {
		return in.session(), true
	}
	return Session{}, false
}

func (in *session) session() Session {
	out := Session{SessionOpened: in.SessionOpened, Last: in.last, Acknowledged: in.last, Pending: len(in.inbox)}
	if len(in.inbox) > 0 {
		out.Acknowledged = in.inbox[0].number - 1
	}
	return out
}

// Inbox returns what a session has not acknowledged, oldest first.
func (s *State) Inbox(id string) []Pending {
	in := s.sessions[id]
	if in == nil {
		return nil
	}
	var out []Pending
	for _, i := range in.inbox {
		out = append(out, Pending{
			Number: i.number, Notification: i.Number, Attention: i.Attention, Delivered: i.delivered, Payload: i.Payload,
		})
	}
	return out
}

// LastNotification is the highest number of a notification that was given out.
func (s *State) LastNotification() uint64 { return s.notification }

// LastEvent is the highest number of an event that may have been given out.
func (s *State) LastEvent() uint64 { return s.event }
