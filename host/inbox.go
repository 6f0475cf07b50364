package host

import (
	"context"
	"sync"

	"github.com/prochost/prochost/host/api"
)

// inboxes keep, for each session, the notifications that it has not acknowledged. The outbox puts them in and clients
// take them; the lock guards it all.
type inboxes struct {
	mu  sync.Mutex
	all map[string]*inbox
}

// inbox is that of one session.
type inbox struct {
	last, acked uint64 // numbers of the last one that was put in, and of the last one that is acknowledged
	pending     []api.Notification
	more        chan struct{} // closed when there is more, and replaced
}

// open makes an inbox; one that there is stays as it is.
func (b *inboxes) open(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		b.all = make(map[string]*inbox)
	}
	if b.all[session] == nil {
		b.all[session] = &inbox{more: make(chan struct{})}
	}
}

// remove ends the inbox of a session. Who waits for it is woken.
func (b *inboxes) remove(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.all[session]; i != nil {
		close(i.more)
		delete(b.all, session)
	}
}

// put adds n; it returns false if there is no such session.
func (b *inboxes) put(session string, n api.Notification) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.all[session]
	if i == nil {
		return false
	}
	i.last = n.Number
	i.pending = append(i.pending, n)
	close(i.more)
	i.more = make(chan struct{})
	return true
}

// counts returns the numbers of the last one and of the last acknowledged one, and how many are pending.
func (b *inboxes) counts(session string) (last, acked uint64, pending int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.all[session]; i != nil {
		return i.last, i.acked, len(i.pending)
	}
	return 0, 0, 0
}

// restore fills the inbox of a session with what a host before has left.
func (b *inboxes) restore(session string, last, acked uint64, pending []api.Notification) {
	b.open(session)
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.all[session]
	i.last, i.acked, i.pending = last, acked, pending
}

// ack acknowledges all up to and with a number, which must have been given out. from is the first of those.
func (b *inboxes) ack(session string, upTo uint64) (out api.InboxAckOut, from uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.all[session]
	if i == nil {
		return out, 0, noSession(session)
	}
	if upTo > i.last {
		return out, 0, api.Invalid("upTo", "%d was not given out yet, the last one is %d", upTo, i.last)
	}
	n := 0
	from = i.acked + 1
	for n < len(i.pending) && i.pending[n].Number <= upTo {
		n++
	}
	clear(i.pending[:n])
	i.pending = i.pending[n:]
	i.acked = max(i.acked, upTo)
	return api.InboxAckOut{Acked: n, Pending: len(i.pending)}, from, nil
}

// take returns up to most notifications after a number, oldest first. While there is none it waits until ctx is done,
// which is no error.
func (b *inboxes) take(ctx context.Context, session string, after uint64, most int) (api.InboxTakeOut, error) {
	for {
		out, more, err := b.there(session, after, most)
		if err != nil || len(out.Notifications) > 0 {
			return out, err
		}
		select {
		case <-more:
		case <-ctx.Done():
			return out, nil
		}
	}
}

func (b *inboxes) there(session string, after uint64, most int) (api.InboxTakeOut, <-chan struct{}, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.all[session]
	if i == nil {
		return api.InboxTakeOut{}, nil, noSession(session)
	}
	out := api.InboxTakeOut{Notifications: []api.Notification{}}
	for _, n := range i.pending {
		if n.Number <= after {
			continue
		}
		if len(out.Notifications) == most {
			out.More = true
			break
		}
		out.Notifications = append(out.Notifications, n)
	}
	return out, i.more, nil
}

func noSession(session string) *api.Error {
	return api.Refuse(api.ReasonNotFound, "there is no session %q: it has ended, or was never opened", session)
}
