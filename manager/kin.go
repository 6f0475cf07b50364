package manager

import (
	"slices"

	"github.com/prochost/prochost/manager/proc"
)

// entry is one process in a table of all.
type entry struct {
	pid, ppid, pgid, sid int
	started              uint64 // in the system's own unit
	dead                 bool   // a zombie
}

// table is the processes of the system at about one moment.
type table []entry

// children returns the processes by their parent.
func (t table) children() map[int][]entry {
	children := make(map[int][]entry, len(t))
	for _, e := range t {
		children[e.ppid] = append(children[e.ppid], e)
	}
	return children
}

// genealogy finds out whose descendant a process is.
//
// A descendant of a leader is one of three: below the leader while that lives; in the leader's session,
// which can only be inherited; or an orphan, whose parent has ended. If this process reaps (it is the
// subreaper), every orphan becomes its child, and so do all whose parents end later. A child of ours that is
// no leader and not of our own session is therefore an orphan of one of our leaders, and all below it are of
// the same descent. Whose it is, it shows itself, or somebody below it does, by the session or by evidence:
// it was seen to be a descendant before, or has the mark in its environment, or our pipes.
//
// Evidence condemns nobody by itself: a process that we did not bring forth, or that lives below another
// leader, is not touched whatever its environment says.
type genealogy struct {
	self     int  // our pid
	session  int  // our session
	reaps    bool // orphans become our children
	leaderOf func(pid int) (proc.ID, bool)
	evidence func(entry) proc.ID // "" if there is none; it is asked about orphans and those below them
}

// kin returns the living descendants of the leader with that pid, itself excepted, in order of pid, and the
// orphans of which nothing shows whose they are.
func (g genealogy) kin(id proc.ID, leader int, all table) (kin, doubt []entry) {
	children := all.children()
	found := map[int]entry{}
	var add func(e entry)
	add = func(e entry) {
		if _, known := found[e.pid]; known {
			return
		}
		found[e.pid] = e
		for _, c := range children[e.pid] {
			add(c)
		}
	}
	owns := func(pid int) bool { // the pid is still that of our leader, not of a later process
		of, is := g.leaderOf(pid)
		return is && of == id
	}
	for _, e := range all {
		if owns(leader) && (e.pid == leader || e.sid == leader) {
			add(e)
		}
	}
	if g.reaps {
		for _, e := range children[g.self] {
			if _, is := g.leaderOf(e.pid); is || e.sid == g.session || e.pid == g.self {
				continue
			}
			switch g.descent(e, children) {
			case id:
				add(e)
			case "":
				if !e.dead {
					doubt = append(doubt, e)
				}
			}
		}
	}
	for _, e := range found {
		if e.pid != leader && !e.dead {
			kin = append(kin, e)
		}
	}
	slices.SortFunc(kin, func(a, b entry) int { return a.pid - b.pid })
	return kin, doubt
}

// descent returns whose descendant an orphan is: what it shows itself, else what all below it that show
// something agree on.
func (g genealogy) descent(orphan entry, children map[int][]entry) proc.ID {
	if id := g.shown(orphan); id != "" {
		return id
	}
	var below proc.ID
	for _, c := range children[orphan.pid] {
		id := g.descent(c, children)
		if id != "" && below != "" && id != below {
			return ""
		}
		if id != "" {
			below = id
		}
	}
	return below
}

func (g genealogy) shown(e entry) proc.ID {
	if id, is := g.leaderOf(e.sid); is {
		return id
	}
	return g.evidence(e)
}
