package host

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/manager/proc"
)

// session is an attached reader: what it is, and since when. Its audience and its inbox bear the same id.
type session struct {
	id, agent, label, cwd string
	opened                time.Time
}

// SessionOpen attaches a reader. One that was open before is taken up as it is.
func (s service) SessionOpen(ctx context.Context, in api.SessionOpenIn) (api.Session, error) {
	return ask(ctx, s.Host, func(l *loop, now time.Time) (api.Session, error) {
		if in.ID != "" {
			known := l.sessions[in.ID]
			if known == nil {
				return api.Session{}, noSession(in.ID)
			}
			return l.sessionInfo(known), nil
		}
		if l.stack.Closing() {
			return api.Session{}, errStopping
		}
		opened := &session{id: newSessionID(), agent: in.Agent, label: in.Label, cwd: in.Cwd, opened: now}
		l.admit(opened)
		l.h.outbox.note(fact{records: []journal.Record{&journal.SessionOpened{
			ID: opened.id, Agent: opened.agent, Label: opened.label, Cwd: opened.cwd, At: opened.opened,
		}}})
		return l.sessionInfo(opened), nil
	})
}

// admit makes a session one of the audiences.
func (l *loop) admit(s *session) {
	l.sessions[s.id] = s
	l.audiences = append(l.audiences, &audience{session: s.id})
	l.h.inboxes.open(s.id)
}

func newSessionID() string { return "sess_" + strings.ToLower(rand.Text()[:12]) }

func (l *loop) sessionInfo(s *session) api.Session {
	out := api.Session{ID: s.id, Agent: s.agent, Label: s.label, Cwd: s.cwd, Opened: api.Millis(s.opened)}
	out.Last, out.Acked, out.Pending = l.h.inboxes.counts(s.id)
	return out
}

// SessionList returns the sessions in the order in which they were opened.
func (s service) SessionList(ctx context.Context, _ api.Nothing) ([]api.Session, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) ([]api.Session, error) {
		all := []api.Session{}
		for _, one := range l.sessions {
			all = append(all, l.sessionInfo(one))
		}
		slices.SortFunc(all, func(a, b api.Session) int { return cmp.Or(cmp.Compare(a.Opened, b.Opened), cmp.Compare(a.ID, b.ID)) })
		return all, nil
	})
}

// SessionClose ends a session and stops what it started, unless that is to be kept. It answers when that has ended.
func (s service) SessionClose(ctx context.Context, in api.SessionRef) (api.SessionCloseOut, error) {
	var owned []*instance
	w, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*waiter, error) {
		if l.sessions[in.Session] == nil {
			return nil, noSession(in.Session)
		}
		for _, i := range l.instances() {
			if i.live() && i.session == in.Session && !i.keep {
				owned = append(owned, i)
				i.again = false
				l.end(i, proc.StopRequest{Spec: i.p.Stop.WithDefaults()})
			}
		}
		return l.await(func(l *loop) bool {
			if slices.ContainsFunc(owned, func(i *instance) bool { return i.live() && !i.stuck() }) {
				return false
			}
			l.dismiss(in.Session)
			return true
		}), nil
	})
	if err != nil {
		return api.SessionCloseOut{}, err
	}
	if err := s.until(ctx, w); err != nil {
		return api.SessionCloseOut{}, err
	}
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.SessionCloseOut, error) {
		out := api.SessionCloseOut{Stopped: []api.Info{}}
		for _, i := range owned {
			out.Stopped = append(out.Stopped, l.current(i))
		}
		return out, nil
	})
}

// dismiss ends a session: nobody hears for it any more. What it leaves belongs to the project.
func (l *loop) dismiss(id string) {
	delete(l.sessions, id)
	l.audiences = slices.DeleteFunc(l.audiences, func(a *audience) bool { return a.session == id && id != project })
	for _, i := range l.live {
		if i.session == id {
			i.session = project
		}
	}
	l.h.outbox.note(fact{
		records: []journal.Record{&journal.SessionClosed{ID: id}},
		tell:    func() { l.h.inboxes.remove(id) },
	})
}

// InboxTake returns what a session has not acknowledged.
func (s service) InboxTake(ctx context.Context, in api.InboxTakeIn) (api.InboxTakeOut, error) {
	most := in.Max
	switch {
	case most < 0:
		return api.InboxTakeOut{}, api.Invalid("max", "it cannot be negative")
	case most == 0:
		most = 100
	}
	wait, err := millis("waitMs", in.WaitMs)
	if err != nil {
		return api.InboxTakeOut{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.inboxes.take(ctx, in.Session, in.After, most)
}

// InboxAck acknowledges.
func (s service) InboxAck(_ context.Context, in api.InboxAckIn) (api.InboxAckOut, error) {
	out, from, err := s.inboxes.ack(in.Session, in.UpTo)
	if err == nil && out.Acked > 0 {
		s.chronicle.write(&journal.Acknowledged{Session: in.Session, From: from, Through: in.UpTo})
	}
	return out, err
}

// Events returns how things stand, and then everything that happens.
func (s service) Events(ctx context.Context, in api.EventsIn) (api.Stream, error) {
	for n, word := range in.Types {
		if !slices.Contains(api.EventTypes(), word) {
			return nil, api.Invalid(field("types", n), "got %q, want of %s", word, strings.Join(api.EventTypes(), ", "))
		}
	}
	f := s.feed(FeedOptions{Output: in.Output, Session: in.Session, Types: in.Types, Bounded: true})
	begun := make(chan struct{})
	_, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (struct{}, error) {
		if in.Session != project && l.sessions[in.Session] == nil {
			return struct{}{}, noSession(in.Session)
		}
		snapshot := api.NewSnapshot(api.Snapshot{Processes: l.list(false), Recipe: l.recipeStatus(), Host: l.hostInfo()})
		var live []*instance
		for _, i := range l.instances() {
			if i.live() {
				live = append(live, i)
			}
		}
		l.h.outbox.after(func() { // behind what was decided before
			for _, i := range live {
				f.follow(i)
			}
			l.h.hub.resume(f, snapshot, in.Since)
			close(begun)
		})
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-begun:
		return f, nil
	case <-s.outbox.over:
		return nil, errOver
	}
}
