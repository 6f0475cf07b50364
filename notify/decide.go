package notify

import (
	"slices"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Circumstances are facts about an end that its notification carries. They never bear on whether it is
// told or how loudly.
type Circumstances struct {
	At           time.Time
	Restarts     int           // restarts of this process before this instance
	WillRestart  bool          // it is started again after RestartDelay
	RestartDelay time.Duration // until it is
	GaveUp       bool          // it had a restart policy, and this end was one too many
	Blocks       []string      // processes that will not be started because of this end
}

// Decide says whether an end is told, and if so how loudly. p is consulted only for an end that nobody
// asked for.
func Decide(e proc.Ended, p Policy, c Circumstances) (n Notification, told bool) {
	n = newEnd(e, c)
	if e.Info.Delivery.Completion == proc.ClaimTool {
		return n, false // a foreground call waits for this end and reports it itself
	}
	if e.Stop != nil {
		n.attention = Context
		return n, true
	}
	switch n.kind {
	case Success:
		n.attention, told = p.OnSuccess.attention()
	case Killed:
		n.attention, told = p.OnKilled.attention()
	default:
		n.attention, told = p.OnFailure, true
	}
	return n, told
}

func newEnd(e proc.Ended, c Circumstances) Notification {
	n := Notification{
		kind:        Classify(e.End),
		about:       e.Info,
		end:         e.End,
		leftovers:   slices.Clone(e.Leftovers),
		outOfMemory: e.OutOfMemory,
		c:           c,
		at:          c.At,
	}
	n.c.Blocks = slices.Clone(c.Blocks)
	if e.Stop != nil {
		n.stopped, n.stoppedBy = true, e.Stop.By
	}
	return n
}
