package host

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
)

// chronicle writes down what a host must still know when it is started again after it was killed. Without a journal it
// is the memory of one run, and everything is as durable as it gets at once.
type chronicle struct {
	journal  *journal.Journal // nil: none
	trouble  func(what, message string)
	reserved atomic.Uint64 // the highest number of an event that may be given out
}

// openChronicle opens the journal in dir, "" for none, and returns what the host before left in it.
func openChronicle(dir string, trouble func(what, message string)) (*chronicle, *journal.State, error) {
	c := &chronicle{trouble: trouble}
	if dir == "" {
		return c, journal.NewState(), nil
	}
	j, state, report, err := journal.Open(dir, journal.Options{Outage: func(err error) {
		if err == nil {
			trouble("journal", "it can be written again, and everything is in it")
			return
		}
		trouble("journal", fmt.Sprintf("%v; what happens meanwhile is told, and forgotten if the host is killed", err))
	}})
	if err != nil {
		return nil, nil, err
	}
	for _, lost := range report.Losses() {
		trouble("journal", lost)
	}
	c.journal = j
	c.reserved.Store(state.LastEvent())
	return c, state, nil
}

// append calls then once records are on disk, and those that were appended before. Where they cannot be written they
// are told all the same: a full disk silences nothing.
func (c *chronicle) append(then func(), records ...journal.Record) {
	if c.journal == nil {
		then()
		return
	}
	err := c.journal.Append(func(error) { then() }, records...)
	if err != nil {
		c.trouble("journal", err.Error())
		then()
	}
}

// write appends records and waits until they are on disk.
func (c *chronicle) write(records ...journal.Record) {
	if c.journal == nil {
		return
	}
	if err := c.journal.Write(records...); err != nil {
		c.trouble("journal", err.Error())
	}
}

// number says that an event has got a number, and reserves those that follow before they are needed.
func (c *chronicle) number(seq uint64) {
	if c.journal == nil {
		return
	}
	if r := c.reserved.Load(); seq+journal.EventBlock/2 > r && c.reserved.CompareAndSwap(r, seq+journal.EventBlock) {
		c.append(func() {}, &journal.Numbers{Event: seq + journal.EventBlock})
	}
}

func (c *chronicle) close() error {
	if c.journal == nil {
		return nil
	}
	return c.journal.Close()
}

// recordOf is the record of a notification for its sessions; the project's own number is that of the notification.
func recordOf(number uint64, n api.Notification, to []journal.Address) journal.Record {
	payload, err := json.Marshal(n)
	if err != nil {
		panic("host: a notification that is no JSON: " + err.Error()) // it holds strings and numbers alone
	}
	return &journal.Notified{Number: number, Attention: n.Attention, To: to, Payload: string(payload)}
}
