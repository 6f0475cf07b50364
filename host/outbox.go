package host

import (
	"context"
	"time"

	"github.com/prochost/prochost/notify"
)

// Sink takes the messages of a session. An error means that the message was not delivered.
type Sink interface {
	Deliver(ctx context.Context, m notify.Message) error
}

// wordsBudget is the time that hooks have for the words of a notification, from its decision on. Of many at
// once, those that would wait longer get the built-in words.
const wordsBudget = 50 * time.Millisecond

// deliverTimeout bounds one attempt of a sink.
const deliverTimeout = 5 * time.Second

// letter is a decided notification on its way to the outbox.
type letter struct {
	n     notify.Notification
	words wordsmith // who may word it, fixed when it was decided; nil: nobody
	to    []string  // the audiences that hear it
}

// courier takes a message to an audience. An error means that it was not delivered.
type courier func(ctx context.Context, to string, m notify.Message) error

// wordsmith finds words for a notification until ctx is done; nil words mean the built-in ones.
type wordsmith interface {
	words(ctx context.Context, n notify.Notification) (*notify.Words, error)
}

// outbox gives notifications their numbers and words and delivers them. One goroutine owns it, so slow words
// delay words and never a decision. Nothing that must arrive leaves it undelivered: a message that failed its
// retries is parked and tried again, and holds up none behind it.
type outbox struct {
	deliver courier
	trouble func(what, message string)
	in      *mailbox[any] // letter or func()
	stop    chan struct{} // closed: deliver what is in, retry no more, end
	over    chan struct{} // closed when run has returned

	// owned by run
	numbers map[string]uint64 // of the last message, by audience
	pending []*parcel
}

// parcel is a message that is not delivered yet.
type parcel struct {
	to       string
	m        notify.Message
	failures int // attempts that failed
	due      time.Time
}

func newOutbox(deliver courier, trouble func(what, message string)) *outbox {
	return &outbox{
		deliver: deliver, trouble: trouble, numbers: make(map[string]uint64),
		in: newMailbox[any](), stop: make(chan struct{}), over: make(chan struct{}),
	}
}

// post hands over a notification. It never blocks.
func (o *outbox) post(l letter) { o.in.put(l) }

// after runs f on the outbox's goroutine once all that was posted before has been worded.
func (o *outbox) after(f func()) { o.in.put(f) }

// close delivers what was posted, cancels pending retries and waits for the end.
func (o *outbox) close() {
	o.in.close()
	close(o.stop)
	<-o.over
}

func (o *outbox) run() {
	defer close(o.over)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for _, item := range o.in.take() {
			switch item := item.(type) {
			case letter:
				o.send(item)
			case func():
				item()
			}
		}
		if o.in.done() {
			return
		}
		if next, ok := o.nextDue(); ok {
			timer.Reset(time.Until(next))
		} else {
			timer.Stop()
		}
		select {
		case <-o.in.wake:
		case <-o.stop:
			// what was posted before the close is in the mailbox by now
		case <-timer.C:
			o.retry(time.Now())
		}
	}
}

// send words a notification once and takes it to each of its audiences, under the next number of each.
func (o *outbox) send(l letter) {
	words := o.words(l)
	for _, to := range l.to {
		o.numbers[to]++
		m, err := l.n.Message(o.numbers[to], words)
		if err != nil {
			o.trouble("hook", err.Error())
			words = nil // told once
		}
		o.attempt(&parcel{to: to, m: m})
	}
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

func (o *outbox) attempt(p *parcel) {
	ctx, cancel := context.WithTimeout(context.Background(), deliverTimeout)
	err := o.deliver(ctx, p.to, p.m)
	cancel()
	if err == nil {
		return
	}
	p.failures++
	delay, again := notify.RetryDelay(p.m.Kind(), p.failures)
	switch {
	case again:
	case p.m.Kind() == notify.LogMatch || p.m.Kind() == notify.Suppressed:
		o.trouble("delivery", "a "+p.m.Kind().String()+" was not delivered: "+err.Error())
		return
	default:
		delay = notify.ParkDelay(p.failures - 3)
	}
	p.due = time.Now().Add(delay)
	o.pending = append(o.pending, p)
}

func (o *outbox) retry(now time.Time) {
	due := o.pending
	o.pending = nil
	for _, p := range due {
		if p.due.After(now) {
			o.pending = append(o.pending, p)
			continue
		}
		o.attempt(p)
	}
}

func (o *outbox) nextDue() (t time.Time, ok bool) {
	for _, p := range o.pending {
		if !ok || p.due.Before(t) {
			t, ok = p.due, true
		}
	}
	return t, ok
}
