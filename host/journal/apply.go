package journal

import (
	"cmp"
	"slices"
)

// Apply takes in a record. It is total: what concerns something that is not known, because it is over or because its
// record was damaged, changes nothing, and what is already there is not done again. A Notified is never left out: a
// session that is not known comes to be known by it.
func (s *State) Apply(r Record) {
	switch r := r.(type) {
	case *Instance:
		s.instance(*r)
	case *Stopping:
		s.stopping(*r)
	case *Ended:
		if l := s.lives[r.ID]; l != nil && l.Ended == nil {
			ended := *r
			l.Ended = &ended
		}
	case *Cleared:
		for _, id := range r.IDs {
			if l := s.lives[id]; l != nil && l.Ended != nil {
				delete(s.lives, id)
			}
		}
	case *Notified:
		s.notify(*r)
	case *Worded:
		if n := s.notified[r.Number]; n != nil {
			n.Payload = r.Payload
		}
	case *Delivered:
		for _, i := range s.within(r.Session, r.From, r.Through) {
			i.delivered = true
		}
	case *Acknowledged:
		s.acknowledge(*r)
	case *SessionOpened:
		s.session(r.ID).SessionOpened = *r
	case *SessionClosed:
		s.close(r.ID)
	case *Numbers:
		s.notification = max(s.notification, r.Notification)
		s.event = max(s.event, r.Event)
		for _, a := range r.Sessions {
			if in := s.sessions[a.Session]; in != nil {
				in.last = max(in.last, a.Number)
			}
		}
	}
}

func (s *State) instance(r Instance) {
	l := s.lives[r.ID]
	if l == nil {
		s.place++
		l = &life{place: s.place}
		s.lives[r.ID] = l
	}
	l.Instance = r
}

func (s *State) stopping(r Stopping) {
	l := s.lives[r.ID]
	switch {
	case l == nil || l.Ended != nil:
	case r == Stopping{ID: r.ID}:
		l.Stopping = nil
	default:
		l.Stopping = &r
	}
}

func (s *State) notify(r Notified) {
	s.notification = max(s.notification, r.Number)
	if s.notified[r.Number] != nil {
		return
	}
	to := r.To
	r.To = nil
	n := &notified{Notified: r}
	for _, a := range to {
		in := s.session(a.Session)
		in.last = max(in.last, a.Number)
		at, found := in.find(a.Number)
		if found {
			continue
		}
		in.inbox = slices.Insert(in.inbox, at, &item{number: a.Number, notified: n})
		n.holders++
	}
	if n.holders > 0 {
		s.notified[r.Number] = n
	}
}

// session returns a session, which is opened if it is not known.
func (s *State) session(id string) *session {
	in := s.sessions[id]
	if in == nil {
		s.place++
		in = &session{SessionOpened: SessionOpened{ID: id}, place: s.place}
		s.sessions[id] = in
	}
	return in
}

// find returns where in the inbox a number is or belongs.
func (in *session) find(number uint64) (at int, found bool) {
	return slices.BinarySearchFunc(in.inbox, number, func(i *item, n uint64) int { return cmp.Compare(i.number, n) })
}

// within returns the part of an inbox from a number through another.
func (s *State) within(id string, from, through uint64) []*item {
	in := s.sessions[id]
	if in == nil || from > through {
		return nil
	}
	begin, _ := in.find(from)
	end, found := in.find(through)
	if found {
		end++
	}
	return in.inbox[begin:end]
}

func (s *State) acknowledge(r Acknowledged) {
	gone := s.within(r.Session, r.From, r.Through)
	if len(gone) == 0 {
		return
	}
	in := s.sessions[r.Session]
	s.drop(gone)
	begin, _ := in.find(gone[0].number)
	in.inbox = slices.Delete(in.inbox, begin, begin+len(gone))
}

// drop takes that an inbox holds items no more.
func (s *State) drop(items []*item) {
	for _, i := range items {
		i.holders--
		if i.holders == 0 {
			delete(s.notified, i.Number)
		}
	}
}

func (s *State) close(id string) {
	if in := s.sessions[id]; in != nil {
		s.drop(in.inbox)
		delete(s.sessions, id)
	}
}

// skip leaves out numbers that may have been given out by records which cannot be read any more, since a number that
// is given out again would be taken for one that was seen. counted says that the State knows the numbers from before
// these.
func (s *State) skip(notifications, events uint64, counted bool) {
	s.notification += notifications
	s.event += events
	for _, in := range s.sessions {
		in.last += notifications
		if !counted || in.At.IsZero() { // it has no more numbers than the host
			in.last = max(in.last, s.notification)
		}
	}
}
