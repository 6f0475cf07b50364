package logs

import (
	"fmt"
	"time"
)

// The time until writing is tried again doubles between these.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// An outage is what keeps a log from being written. The zero outage is none.
type outage struct {
	told  bool          // somebody knows
	until time.Time     // nothing is written before; zero while writing works
	pause time.Duration // the last one
	order bool          // the index cannot be written
	// dropped is how many bytes were not kept since it was told.
	dropped int64
}

// pauses reports whether nothing is to be written at now.
func (o *outage) pauses(now time.Time) bool {
	d := o.until.Sub(now)
	return !o.until.IsZero() && d > 0 && d <= lastPause // a clock may have been put back
}

// begin takes that err kept bytes from being written.
func (o *outage) begin(l *Log, err error, now time.Time) {
	o.pause = min(max(2*o.pause, firstPause), lastPause)
	o.until = now.Add(o.pause)
	o.tell(l, fmt.Sprintf("%v; output is dropped until it works again", err))
}

// end takes that bytes were written.
func (o *outage) end(l *Log) {
	if !o.until.IsZero() {
		o.until, o.pause = time.Time{}, 0
		l.flush() // keeps what was dropped
	}
	o.over(l)
}

// beginOrder takes that err kept the index from being written.
func (o *outage) beginOrder(l *Log, err error) {
	o.order = true
	o.tell(l, fmt.Sprintf("%v; the order of arrivals may be lost", err))
}

// endOrder takes that the index was written.
func (o *outage) endOrder() { o.order = false }

func (o *outage) tell(l *Log, message string) {
	if !o.told {
		o.told = true
		l.opt.Trouble(fmt.Sprintf("log of %s: %s", l.id, message))
	}
}

// over tells the end, if everything that was tried last has worked.
func (o *outage) over(l *Log) {
	if !o.told || o.order || !o.until.IsZero() {
		return
	}
	lost := ""
	if o.dropped > 0 {
		lost = fmt.Sprintf("; %d bytes were dropped", o.dropped)
	}
	o.told, o.dropped = false, 0
	l.opt.Trouble(fmt.Sprintf("log of %s: writing works again%s", l.id, lost))
}
