package journal

// Notified says that something is to be told, to whom, and under which numbers. It is appended in one group with the
// end that it is about, so that there is never one without the other.
type Notified struct {
	// Number is that of the notification in this host. Each is one more than that of the Notified before.
	Number    uint64
	Attention string
	To        []Address
	// Payload is the notification as it will be handed over (an api.Notification as JSON). It is not looked into, but
	// its number is to be that of the address.
	Payload string
}

// Address is a session and a number in it. The numbers of a session rise by one.
type Address struct {
	Session string
	Number  uint64
}

func (*Notified) kind() kind { return kindNotified }

func (r *Notified) fields(f *fields) {
	f.uint(1, &r.Number)
	text(f, 2, &r.Attention)
	addresses(f, 3, &r.To)
	text(f, 4, &r.Payload)
}

func addresses(f *fields, number int, v *[]Address) {
	list(f, number, v, func(f *fields, a *Address) {
		text(f, 1, &a.Session)
		f.uint(2, &a.Number)
	})
}

// Worded replaces the payload of a notification that is still in an inbox: a hook has found words for it.
type Worded struct {
	Number  uint64
	Payload string
}

func (*Worded) kind() kind { return kindWorded }

func (r *Worded) fields(f *fields) {
	f.uint(1, &r.Number)
	text(f, 2, &r.Payload)
}

// Delivered says that notifications of a session were handed over, without word yet that they have arrived.
type Delivered struct {
	Session       string
	From, Through uint64 // both included
}

func (*Delivered) kind() kind { return kindDelivered }

func (r *Delivered) fields(f *fields) {
	text(f, 1, &r.Session)
	f.uint(2, &r.From)
	f.uint(3, &r.Through)
}

// Acknowledged says that notifications of a session have arrived. They leave its inbox.
type Acknowledged struct {
	Session       string
	From, Through uint64 // both included
}

func (*Acknowledged) kind() kind { return kindAcknowledged }

func (r *Acknowledged) fields(f *fields) {
	text(f, 1, &r.Session)
	f.uint(2, &r.From)
	f.uint(3, &r.Through)
}
