package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// remember takes over the numbers and the inboxes of the host before.
func (h *Host) remember() {
	h.outbox.number = h.before.LastNotification()
	h.outbox.numbers[project] = h.before.LastNotification()
	for _, s := range h.before.Sessions() {
		h.outbox.numbers[s.ID] = s.Last
		h.inboxes.restore(s.ID, s.Last, s.Acknowledged, unread(s.ID, h.before.Inbox(s.ID)))
	}
}

// recall takes over the records of the host before, and if it was killed its processes. Those that are proven to be
// the ones that it started are ended, since nobody has their output any more; the others are gone, and nobody knows
// how. Each is told once. It returns when none of them lives.
func (l *loop) recall(before *journal.State) {
	for _, s := range before.Sessions() {
		l.sessions[s.ID] = &session{id: s.ID, agent: s.Agent, label: s.Label, cwd: s.Cwd, opened: s.At}
		l.audiences = append(l.audiences, &audience{session: s.ID})
	}
	var ended, gone []string
	now := time.Now()
	for _, life := range before.Lives() {
		i := recalled(life)
		l.number++
		i.number = l.number
		if !i.at.IsZero() {
			for _, old := range l.history.add(i) {
				l.drop(old)
			}
			continue
		}
		l.live[i.id] = i
		if l.retake(i, life) {
			ended = append(ended, i.info.Name)
		} else {
			gone = append(gone, i.info.Name)
		}
	}
	if len(ended)+len(gone) == 0 {
		return
	}
	l.settle()
	l.post(notify.NoticeHostRestarted(restartedWords(ended, gone), now), l.audiences.of(project)...)
}

func restartedWords(ended, gone []string) string {
	var parts []string
	if len(ended) > 0 {
		parts = append(parts, "it was killed while these ran, and they were ended: "+strings.Join(ended, ", "))
	}
	if len(gone) > 0 {
		parts = append(parts, "these had gone meanwhile: "+strings.Join(gone, ", "))
	}
	return strings.Join(parts, "; ")
}

// retake adopts a process of the host before and stops it. It returns false if there is no such process any more; its
// end is on its way then.
func (l *loop) retake(i *instance, life journal.Life) bool {
	stop := &proc.StopRequest{By: proc.ByShutdown, Spec: i.spec.Stop.WithDefaults()}
	err := errors.New("it never ran")
	if life.Process.PID != 0 {
		err = l.h.manager.Adopt(i.id, manager.Adoption{
			Spec:     i.spec,
			Identity: proc.Identity{PID: life.Process.PID, Boot: life.Process.Boot, Born: life.Process.Ticks},
			Started:  life.At, Stop: stop,
		}, nil)
	}
	if err == nil {
		return true
	}
	if !errors.Is(err, manager.ErrStranger) && life.Process.PID != 0 {
		l.h.trouble("journal", fmt.Sprintf("%s of the host before: %v", i.info.Name, err))
	}
	asked := life.Stopping != nil && !life.Stopping.At.IsZero()
	end := proc.Vanished(asked)
	info := i.info
	info.End, info.Ended, info.Status = end, time.Now(), end.Status()
	l.h.inbox.put(happened{proc.Ended{End: end, Info: info}})
	return false
}

// settle handles what happens until nothing lives, but for what the system does not let go of.
func (l *loop) settle() {
	for {
		for _, in := range l.h.inbox.take() {
			l.handle(in, time.Now())
		}
		waiting := false
		for _, i := range l.live {
			waiting = waiting || !i.stuck()
		}
		if !waiting {
			return
		}
		<-l.h.inbox.wake
	}
}

// unread are the notifications of an inbox.
func unread(session string, inbox []journal.Pending) (pending []api.Notification) {
	for _, p := range inbox {
		var n api.Notification
		if err := json.Unmarshal([]byte(p.Payload), &n); err != nil { // then its number is known, and that there was something
			n = api.Notification{Kind: "unknown", Attention: p.Attention, Summary: "a notification that cannot be read any more"}
		}
		n.Number, n.Session = p.Number, session
		pending = append(pending, n)
	}
	return pending
}
