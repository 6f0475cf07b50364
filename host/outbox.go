package host

import (
	"context"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/notify"
)

// Sink takes the messages of a session. An error means that the message was not delivered.
type Sink interface {
	Deliver(ctx context.Context, m notify.Message) error
}

// wordsBudget is the time that hooks have for the words of a notification, from its decision on. Of many at
// once, those that would wait longer get the built-in words.
const wordsBudget = 50 * time.Millisecond

// letter is a decided notification on its way to the outbox.
type letter struct {
	n     notify.Notification
	words wordsmith // who may word it, fixed when it was decided; nil: nobody
	to    []string  // the audiences that hear it
	fact  fact      // that it is about, if that is written down with it and told before it
}

// fact is something that happened: what of it is written down, and how it is told once it is.
type fact struct {
	records []journal.Record
	tell    func() // may be nil
}

// courier takes a message to an audience. An error means that it was not delivered.
type courier func(ctx context.Context, to string, m notify.Message) error

// wordsmith finds words for a notification until ctx is done; nil words mean the built-in ones.
type wordsmith interface {
	words(ctx context.Context, n notify.Notification) (*notify.Words, error)
}

// outbox gives notifications their numbers and words, has them written down, and delivers them.
//
//	loop ──▶ words, numbers ──▶ chronicle ──▶ delivery, retries ──▶ courier
//
// One goroutine words, another one delivers, and everything keeps its order on the way; so slow words delay words and
// never a decision. Nothing that must arrive leaves it undelivered.
type outbox struct {
	chronicle *chronicle
	delivery  delivery
	trouble   func(what, message string)
	in        *mailbox[any] // letter or fact
	over      chan struct{} // closed when run has returned

	// owned by run
	number  uint64            // of the last notification
	numbers map[string]uint64 // of the last message, by audience
}

func newOutbox(c *chronicle, deliver courier, trouble func(what, message string)) *outbox {
	return &outbox{
		chronicle: c, trouble: trouble, numbers: make(map[string]uint64),
		in: newMailbox[any](), over: make(chan struct{}),
		delivery: delivery{deliver: deliver, trouble: trouble, in: newMailbox[any]()},
	}
}

// post hands over a notification. It never blocks.
func (o *outbox) post(l letter) { o.in.put(l) }

// after calls f once all that was posted before has been worded and written down, in its place among the deliveries.
func (o *outbox) after(f func()) { o.in.put(fact{tell: f}) }

// note has a fact written down, and told after that.
func (o *outbox) note(f fact) { o.in.put(f) }

// close delivers what was posted, cancels pending retries and waits for the end.
func (o *outbox) close() {
	o.in.close()
	<-o.over
}

func (o *outbox) run() {
	defer close(o.over)
	var delivering sync.WaitGroup
	delivering.Go(o.delivery.run)
	for {
		for _, item := range o.in.take() {
			switch item := item.(type) {
			case letter:
				o.send(item)
			case fact:
				o.write(item, nil)
			}
		}
		if o.in.done() {
			break
		}
		<-o.in.wake
	}
	o.chronicle.write() // all that was appended before is on disk, and on its way
	o.delivery.in.close()
	delivering.Wait()
}

// write has a fact and the messages about it written down as one, and then tells the one and delivers the others.
func (o *outbox) write(f fact, about []*parcel) {
	o.chronicle.append(func() {
		if f.tell != nil {
			o.delivery.in.put(f.tell)
		}
		for _, p := range about {
			o.delivery.in.put(p)
		}
	}, f.records...)
}

// send words a notification once and makes of it a message for each of its audiences, under the next number of each.
func (o *outbox) send(l letter) {
	words := o.words(l)
	o.number++
	var parcels []*parcel
	var sessions []journal.Address
	for _, to := range l.to {
		o.numbers[to]++
		m, err := l.n.Message(o.numbers[to], words)
		if err != nil {
			o.trouble("hook", err.Error())
			words = nil // told once
		}
		parcels = append(parcels, &parcel{to: to, m: m})
		if to != project {
			sessions = append(sessions, journal.Address{Session: to, Number: m.Number()})
		}
	}
	if len(parcels) > 0 && (len(sessions) > 0 || len(l.fact.records) > 0) {
		l.fact.records = append(l.fact.records, recordOf(o.number, api.NewNotification(parcels[0].m), sessions))
	}
	o.write(l.fact, parcels)
}

// words returns what the hooks have to say in time; nil: nothing.
func (o *outbox) words(l letter) *notify.Words {
	if l.words == nil {
		return nil
	}
	ctx, cancel := context.WithDeadline(context.Background(), l.n.At().Add(wordsBudget))
	defer cancel()
	w, err := l.words.words(ctx, l.n)
	if err != nil { // who words it tells of that, once and not each time
		return nil
	}
	return w
}
