package notify

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// Notification is one thing that the reader is told, decided and sealed. It is made by Decide, by a
// Limiter, or as one of the notices; nothing can change it afterwards.
type Notification struct {
	kind      Kind
	attention Attention
	at        time.Time

	// of a process; the zero Info in a notice
	about proc.Info

	// of an end
	end         proc.End
	stopped     bool
	stoppedBy   proc.Cause
	leftovers   []proc.Leftover
	outOfMemory bool
	c           Circumstances

	// of a log match
	match Match

	// of a summary
	suppressed int

	// of a notice
	notice string
}

// NoticeRecipeError is the notice that the recipe is broken; detail says how, with file and line. It is
// always Context.
func NoticeRecipeError(detail string, at time.Time) Notification {
	return Notification{kind: RecipeError, attention: Context, notice: detail, at: at}
}

// NoticeHostRestarted is the notice of what ended or was adopted while the host was gone. It is always
// Context.
func NoticeHostRestarted(detail string, at time.Time) Notification {
	return Notification{kind: HostRestarted, attention: Context, notice: detail, at: at}
}

// Kind says what it is about.
func (n Notification) Kind() Kind { return n.kind }

// Attention says how it reaches the reader.
func (n Notification) Attention() Attention { return n.attention }

// AttentionWord is the word of the payload. It differs from Attention for a log match with
// on = "ignore", which says "ignore" and is delivered as context.
func (n Notification) AttentionWord() string {
	if n.kind == LogMatch {
		return n.match.Matcher.On.String()
	}
	return n.attention.String()
}

// At is the time of the decision.
func (n Notification) At() time.Time { return n.at }

// About is the process that it is about; its ID is empty in a summary or a notice.
func (n Notification) About() proc.Info { return n.about }

// End is the end that it is about; ok is false if it is about no end.
func (n Notification) End() (e proc.End, ok bool) { return n.end, n.kind.Lifecycle() }

// Match is the match that it is about; ok is false if it is about none.
func (n Notification) Match() (m Match, ok bool) { return n.match, n.kind == LogMatch }

// Suppressed is the count of a summary, else 0.
func (n Notification) Suppressed() int { return n.suppressed }

// Circumstances of an end.
func (n Notification) Circumstances() Circumstances { return n.c }

// DeliverAs says at which point a reader that is an agent gets a message.
type DeliverAs uint8

const (
	Steer    DeliverAs = iota // after its current tool calls, or at once when idle
	FollowUp                  // when its run has settled
	NextTurn                  // with the next user prompt; never wakes
)

// String returns the wire word.
func (d DeliverAs) String() string { return [...]string{"steer", "followUp", "nextTurn"}[d] }

// Send says how an agent gets it: whether it wakes, and when.
func (n Notification) Send() (triggerTurn bool, as DeliverAs) {
	switch {
	case n.attention == Context:
		return false, NextTurn
	case n.kind.Lifecycle() && n.about.Delivery.Turn == proc.FollowUp:
		return true, FollowUp
	}
	return true, Steer
}
