package host

import (
	"context"
	"time"

	"github.com/prochost/prochost/notify"
)

// deliverTimeout bounds one attempt of a courier.
const deliverTimeout = 5 * time.Second

// delivery takes messages to their audiences, in order. A message that failed its retries is parked and tried again,
// and holds up none behind it.
type delivery struct {
	deliver courier
	trouble func(what, message string)
	in      *mailbox[any] // *parcel, or func() to be called in its place; closed: deliver what is in, retry no more

	// owned by run
	pending []*parcel
}

// parcel is a message that is not delivered yet.
type parcel struct {
	to       string
	m        notify.Message
	failures int // attempts that failed
	due      time.Time
}

func (d *delivery) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for _, item := range d.in.take() {
			switch item := item.(type) {
			case *parcel:
				d.attempt(item)
			case func():
				item()
			}
		}
		if d.in.done() {
			return
		}
		if next, ok := d.nextDue(); ok {
			timer.Reset(time.Until(next))
		} else {
			timer.Stop()
		}
		select {
		case <-d.in.wake:
		case <-timer.C:
			d.retry(time.Now())
		}
	}
}

func (d *delivery) attempt(p *parcel) {
	ctx, cancel := context.WithTimeout(context.Background(), deliverTimeout)
	err := d.deliver(ctx, p.to, p.m)
	cancel()
	if err == nil {
		return
	}
	p.failures++
	delay, again := notify.RetryDelay(p.m.Kind(), p.failures)
	switch {
	case again:
	case p.m.Kind() == notify.LogMatch || p.m.Kind() == notify.Suppressed:
		d.trouble("delivery", "a "+p.m.Kind().String()+" was not delivered: "+err.Error())
		return
	default:
		delay = notify.ParkDelay(p.failures - 3)
	}
	p.due = time.Now().Add(delay)
	d.pending = append(d.pending, p)
}

func (d *delivery) retry(now time.Time) {
	due := d.pending
	d.pending = nil
	for _, p := range due {
		if p.due.After(now) {
			d.pending = append(d.pending, p)
			continue
		}
		d.attempt(p)
	}
}

func (d *delivery) nextDue() (t time.Time, ok bool) {
	for _, p := range d.pending {
		if !ok || p.due.Before(t) {
			t, ok = p.due, true
		}
	}
	return t, ok
}
