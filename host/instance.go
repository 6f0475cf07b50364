package host

import (
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// instance is what the loop knows of one instance beside what the manager knows, from before its start until its
// record is dropped. The loop owns it.
type instance struct {
	number   uint64 // in order of their start, from 1
	id       proc.ID
	p        recipe.Process // how it was declared, or asked for
	spec     proc.Spec      // how it is run
	declared bool           // the recipe declares it, and the stack decides about it
	session  string         // who owns it; project
	keep     bool           // it outlives its session

	policy   notify.Policy
	restarts int
	ready    *bool // nil: it has no readiness
	observer *observer

	info     proc.Info         // as it was last told
	stop     *proc.StopRequest // who asked for its end, once it has ended
	at       time.Time         // of its end
	fact     string            // the core's own line about its end
	recorded bool              // the journal knows of it
	dropped  bool              // its record is gone
	again    bool              // undeclared: another instance follows when it has ended
	next     proc.ID           // of the instance that followed
}

// live reports whether something of it may still run.
func (i *instance) live() bool { return i.at.IsZero() }

// wire is i in the form of the wire, with p as what the manager says of it.
func (i *instance) wire(p proc.Info) api.Info {
	var ready *bool
	if i.ready != nil {
		v := *i.ready && p.Status.Live()
		ready = &v
	}
	out := api.NewInfo(p, i.restarts, ready)
	out.Session = i.session
	return out
}

// current is i as it is known by now, which may be later than what has been told.
func (l *loop) current(i *instance) api.Info {
	p := i.info
	if i.live() {
		if now, ok := l.h.manager.Info(i.id); ok && now.Status.Live() {
			p = now
		}
	}
	return i.wire(p)
}

// forget moves an instance to the finished ones and drops those that are remembered no more.
func (l *loop) forget(i *instance, now time.Time) {
	i.at = now
	delete(l.live, i.id)
	for _, old := range l.history.add(i) {
		l.drop(old)
	}
}

// drop removes the record of a finished instance, and its logs.
func (l *loop) drop(i *instance) {
	l.h.manager.Forget(i.id)
	if i.recorded {
		l.h.outbox.note(fact{records: []journal.Record{&journal.Cleared{IDs: []proc.ID{i.id}}}})
	}
	l.h.logs.remove(i.id)
}
