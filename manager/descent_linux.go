package manager

import (
	"maps"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// surveyTries is how often a survey is begun anew: because somebody came while it was made, or because an orphan
// was executing another program in that moment and had no environment. The pauses between are short at first.
const surveyTries = 9

// survey finds out who of a process lives beside its leader.
//
// To find nobody is a claim that has to hold while processes fork and end. While the leader lives its own end
// will bring the next survey. When it has ended, whoever of its descent lives is, or is below, an orphan that
// is a child of ours. So there is nobody if there are no orphans; or if every orphan that is there after the
// table was read was there before, and hence was in it, and is not one of them.
func (r *reaper) survey(id proc.ID, h hold) census {
	_, ended := h.status()
	for try := range surveyTries {
		if try > 1 {
			time.Sleep(time.Millisecond << (try - 2))
		}
		before, known := r.orphansOf(h)
		if ended && known && len(before) == 0 {
			return census{}
		}
		c, err := r.look(id, h.pid())
		if err != nil {
			return census{unsure: true}
		}
		if !ended || len(c.group)+len(c.strays) > 0 {
			return c
		}
		if c.unsure {
			continue
		}
		if !known { // a second table that says the same has to do
			if again, err := r.look(id, h.pid()); err == nil {
				return again
			}
			continue
		}
		after, _ := r.orphansOf(h)
		if !slices.ContainsFunc(after, func(pid int) bool { return !slices.Contains(before, pid) }) {
			return c
		}
	}
	return census{unsure: true}
}

// look finds the descendants of a leader in one table.
func (r *reaper) look(id proc.ID, leader int) (census, error) {
	all, err := r.table.take()
	if err != nil {
		return census{}, err
	}
	k := r.genealogy(id, all).of(id, leader, all)
	r.remember(id, leader, k.kin, all)
	born := uint64(0)
	for _, e := range all {
		if e.pid == leader {
			born = e.started
		}
	}
	k.doubt = slices.DeleteFunc(k.doubt, func(e entry) bool { return e.started < born })
	return censusOf(leader, k), nil
}

// genealogy is what is known for a look into all; id is whom it is about, or "".
func (r *reaper) genealogy(id proc.ID, all table) genealogy {
	own, _ := unix.Getsid(0)
	r.mu.Lock()
	defer r.mu.Unlock()
	leaders := maps.Clone(r.leaders)
	was := func(e entry) proc.ID { return r.members[member{e.pid, e.started}] }
	var seen func(entry) proc.ID
	for pid, g := range r.guests {
		of := leaders[pid]
		if !g.holds(all, func(e entry) bool { return was(e) == of }) {
			delete(leaders, pid)
		}
		if of == id {
			members := maps.Clone(r.members)
			seen = func(e entry) proc.ID { return members[member{e.pid, e.started}] }
		}
	}
	return genealogy{
		self: os.Getpid(), session: own, reapers: r.reapers(), seen: seen,
		leaderOf: func(pid int) (proc.ID, bool) { id, is := leaders[pid]; return id, is },
		evidence: func(e entry) (proc.ID, bool) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if id, is := r.members[member{e.pid, e.started}]; is {
				return id, true
			}
			if id, is := r.sessions[e.sid]; is {
				return id, true
			}
			id, emptyAt, sure := r.shownBy(e.pid)
			if id == "" && emptyAt != 0 && sure {
				sure = r.isBare(member{e.pid, e.started}, emptyAt)
			}
			return id, sure
		},
	}
}

// remember keeps in mind who was found and in which sessions. One whose parent ends next may show nothing
// itself, and neither may its next child; but a session is only inherited. What is not in the table any more is
// forgotten: its number will be another's.
func (r *reaper) remember(id proc.ID, leader int, kin []entry, all table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	foreign := 0 // the session in which an adopted leader was started with others
	if g := r.guests[leader]; g != nil {
		foreign = g.session
	}
	own, _ := unix.Getsid(0)
	for _, e := range kin {
		r.members[member{e.pid, e.started}] = id
		if _, is := r.leaders[e.sid]; !is && e.sid != own && e.sid != foreign {
			r.sessions[e.sid] = id
		}
	}
	there, sessions := map[member]bool{}, map[int]bool{}
	for _, e := range all {
		there[member{e.pid, e.started}], sessions[e.sid] = true, true
	}
	// Those of others stay: this table may be older than the one in which they were found.
	maps.DeleteFunc(r.members, func(m member, of proc.ID) bool { return of == id && !there[m] })
	maps.DeleteFunc(r.sessions, func(sid int, of proc.ID) bool { return of == id && !sessions[sid] })
	maps.DeleteFunc(r.bare, func(m member, _ bareness) bool { return !there[m] })
}

// shownBy returns whose descendant a process shows itself to be: by its session, by the marks in its
// environment, or by the pipes that are its standard streams. A mark of nobody whom we know counts as that
// of one who is gone. emptyAt and sure are those of marksOf.
func (r *reaper) shownBy(pid int) (id proc.ID, emptyAt uint64, sure bool) {
	if sid, err := unix.Getsid(pid); err == nil {
		if id, is := r.leaders[sid]; is && sid != pid {
			return id, 0, true
		}
	}
	marks, emptyAt, sure := marksOf(pid)
	for _, id := range marks {
		if r.ids[id] {
			return id, 0, true
		}
	}
	for _, pipe := range pipesOf(pid) {
		if id, is := r.pipes[pipe]; is {
			return id, 0, true
		}
	}
	if len(marks) > 0 {
		return marks[0], 0, true
	}
	return "", emptyAt, sure
}
