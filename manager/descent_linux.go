package manager

import (
	"maps"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// surveyTries is how often a survey is begun anew because somebody came while it was made.
const surveyTries = 3

// survey finds out who of a process lives beside its leader.
//
// To find nobody is a claim that has to hold while processes fork and end. While the leader lives its own end
// will bring the next survey. When it has ended, whoever of its descent lives is, or is below, an orphan that
// is a child of ours. So there is nobody if there are no orphans; or if every orphan that is there after the
// table was read was there before, and hence was in it, and is not one of them.
func (r *reaper) survey(id proc.ID, h *handle) census {
	_, ended := h.status()
	for range surveyTries {
		before, known := r.orphans()
		if ended && known && len(before) == 0 {
			return census{}
		}
		c, err := r.look(id, h.number)
		if err != nil {
			return census{unsure: true}
		}
		if !ended || len(c.group)+len(c.strays) > 0 {
			return c
		}
		after, _ := r.orphans()
		if known && !slices.ContainsFunc(after, func(pid int) bool { return !slices.Contains(before, pid) }) {
			return c
		}
		if !known { // a second table that says the same has to do
			if c, err = r.look(id, h.number); err == nil {
				return c
			}
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
	kin, doubt := r.genealogy().kin(id, leader, all)
	r.remember(id, kin, all)
	born := uint64(0)
	for _, e := range all {
		if e.pid == leader {
			born = e.started
		}
	}
	doubt = slices.DeleteFunc(doubt, func(e entry) bool { return e.started < born })
	return censusOf(leader, kin, doubt), nil
}

func (r *reaper) genealogy() genealogy {
	own, _ := unix.Getsid(0)
	r.mu.Lock()
	defer r.mu.Unlock()
	leaders := maps.Clone(r.leaders)
	return genealogy{
		self: os.Getpid(), session: own, reaps: true,
		leaderOf: func(pid int) (proc.ID, bool) { id, is := leaders[pid]; return id, is },
		evidence: func(e entry) proc.ID {
			r.mu.Lock()
			defer r.mu.Unlock()
			if id, is := r.members[member{e.pid, e.started}]; is {
				return id
			}
			if id, is := r.sessions[e.sid]; is {
				return id
			}
			return r.shownBy(e.pid)
		},
	}
}

// remember keeps in mind who was found and in which sessions. One whose parent ends next may show nothing
// itself, and neither may its next child; but a session is only inherited. What is not in the table any more is
// forgotten: its number will be another's.
func (r *reaper) remember(id proc.ID, kin []entry, all table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own, _ := unix.Getsid(0)
	for _, e := range kin {
		r.members[member{e.pid, e.started}] = id
		if _, is := r.leaders[e.sid]; !is && e.sid != own {
			r.sessions[e.sid] = id
		}
	}
	there, sessions := map[member]bool{}, map[int]bool{}
	for _, e := range all {
		there[member{e.pid, e.started}], sessions[e.sid] = true, true
	}
	maps.DeleteFunc(r.members, func(m member, _ proc.ID) bool { return !there[m] })
	maps.DeleteFunc(r.sessions, func(sid int, _ proc.ID) bool { return !sessions[sid] })
}

// shownBy returns whose descendant a process shows itself to be: by its session, by the marks in its
// environment, or by the pipes that are its standard streams. A mark of nobody whom we know counts as that
// of one who is gone.
func (r *reaper) shownBy(pid int) proc.ID {
	if sid, err := unix.Getsid(pid); err == nil {
		if id, is := r.leaders[sid]; is && sid != pid {
			return id
		}
	}
	marks := marksOf(pid)
	for _, id := range marks {
		if r.ids[id] {
			return id
		}
	}
	for _, pipe := range pipesOf(pid) {
		if id, is := r.pipes[pipe]; is {
			return id
		}
	}
	if len(marks) > 0 {
		return marks[0]
	}
	return ""
}
