package wal

import (
	"fmt"
	"time"
)

// The time until writing is tried again doubles between these.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// An outage is why nothing can be written. The zero outage is none.
type outage struct {
	err   error
	pause time.Duration // until the next attempt
	retry *time.Timer   // runs during an outage; nil within Open
}

// begin takes that err kept the log from being written.
func (o *outage) begin(l *Log, err error) {
	told := o.err != nil
	o.leaveMark(l)
	o.err = err
	o.pause = min(max(2*o.pause, firstPause), lastPause)
	o.schedule()
	if !told {
		l.opt.Outage(err)
	}
}

// end takes that everything is durable.
func (o *outage) end(l *Log) {
	o.err, o.pause = nil, 0
	o.schedule()
	l.opt.Outage(nil)
}

// outageMark is an empty file that is there as long as an outage lasts. Even a full disk mostly has room for a name.
const outageMark = "outage"

// leaveMark makes the mark, if that is possible, for the next start to find. A fresh file removes it.
func (o *outage) leaveMark(l *Log) {
	if f, err := l.disk.create(outageMark); err == nil {
		_ = f.Close()
		_ = l.disk.sync()
	}
}

// schedule sets the timer.
func (o *outage) schedule() {
	switch {
	case o.retry == nil:
	case o.err == nil:
		o.retry.Stop()
	default:
		o.retry.Reset(o.pause)
	}
}

// answer is the error for a group that cannot be written.
func (o *outage) answer() error { return fmt.Errorf("%w: %w", ErrNotDurable, o.err) }
