package journal

import (
	"maps"
	"slices"
)

// snapshot yields groups of records that make this State out of an empty one. The numbers come twice: they are what
// must not be lost if the file is damaged.
func (s *State) snapshot(yield func([]Record) bool) {
	for _, in := range s.orderedSessions() {
		if !yield([]Record{&in.SessionOpened}) {
			return
		}
	}
	if !yield([]Record{s.numbers()}) {
		return
	}
	for _, l := range s.ordered() {
		records := []Record{&l.Instance}
		if l.Stopping != nil {
			records = append(records, l.Stopping)
		}
		if l.Ended != nil {
			records = append(records, l.Ended)
		}
		if !yield(records) {
			return
		}
	}
	if !s.snapshotInboxes(yield) {
		return
	}
	yield([]Record{s.numbers()})
}

func (s *State) snapshotInboxes(yield func([]Record) bool) bool {
	to := map[uint64][]Address{}
	sessions := s.orderedSessions()
	for _, in := range sessions {
		for _, i := range in.inbox {
			to[i.Number] = append(to[i.Number], Address{in.ID, i.number})
		}
	}
	for _, number := range slices.Sorted(maps.Keys(s.notified)) {
		n := s.notified[number].Notified
		n.To = to[number]
		if !yield([]Record{&n}) {
			return false
		}
	}
	for _, in := range sessions {
		for _, d := range in.delivered() {
			if !yield([]Record{&d}) {
				return false
			}
		}
	}
	return true
}

// delivered returns the runs of items that were delivered.
func (in *session) delivered() (runs []Delivered) {
	open := false
	for _, i := range in.inbox {
		switch {
		case !i.delivered:
			open = false
		case open:
			runs[len(runs)-1].Through = i.number
		default:
			runs = append(runs, Delivered{in.ID, i.number, i.number})
			open = true
		}
	}
	return runs
}

func (s *State) numbers() *Numbers {
	n := &Numbers{Notification: s.notification, Event: s.event}
	for _, in := range s.orderedSessions() {
		n.Sessions = append(n.Sessions, Address{in.ID, in.last})
	}
	return n
}
