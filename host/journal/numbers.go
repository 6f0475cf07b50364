package journal

// EventBlock is how many event numbers a Numbers may reserve at a time.
const EventBlock = 4096

// Numbers are the highest numbers that have been given out. Those of notifications are known from their records, and
// stand here for the time when these are forgotten. A host appends it for the numbers of its events, which have no
// records: it reserves a block before it gives out the first of it.
type Numbers struct {
	Notification uint64
	Event        uint64
	Sessions     []Address
}

func (*Numbers) kind() kind { return kindNumbers }

func (r *Numbers) fields(f *fields) {
	f.uint(1, &r.Notification)
	f.uint(2, &r.Event)
	addresses(f, 3, &r.Sessions)
}
