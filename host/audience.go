package host

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// project is the audience that hears of everything, whether or not anybody is attached: what `up` shows, what
// listens without a session.
const project = ""

// audience is one reader of notifications, with a rate limit of its own. The loop owns it.
type audience struct {
	session string // project, or the id of a session
	limiter notify.Limiter
}

// audiences are all readers, the project first.
type audiences []*audience

// hears reports whether a is told of what belongs to owner: the project's processes concern everybody, those of a
// session that session and the project.
func (a *audience) hears(owner string) bool {
	return a.session == project || owner == project || a.session == owner
}

func (as audiences) of(owner string) (sessions []string) {
	for _, a := range as {
		if a.hears(owner) {
			sessions = append(sessions, a.session)
		}
	}
	return sessions
}

// deadline is when the window of a rate limit closes.
func (as audiences) deadline() (t time.Time, ok bool) {
	for _, a := range as {
		if due, limited := a.limiter.Deadline(); limited && (!ok || due.Before(t)) {
			t, ok = due, true
		}
	}
	return t, ok
}

// admit passes a match through the rate limit of everybody who hears of owner.
func (as audiences) admit(m notify.Match, about proc.Info, owner string, at time.Time, post func(n notify.Notification, to ...string)) {
	var match notify.Notification
	var heard []string
	for _, a := range as {
		if !a.hears(owner) {
			continue
		}
		for _, n := range a.limiter.Admit(m, about, at) {
			if n.Kind() == notify.LogMatch { // it is the same for all, and is worded once
				match, heard = n, append(heard, a.session)
			} else {
				post(n, a.session)
			}
		}
	}
	if len(heard) > 0 {
		post(match, heard...)
	}
}
