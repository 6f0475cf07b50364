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
// the same descent. The same holds for a keeper, the subreaper above us that has what earlier runs have left. Whose it is, it shows itself, or somebody below it does, by the session or by evidence:
// it was seen to be a descendant before, or has the mark in its environment, or our pipes.
//
// Evidence condemns nobody by itself: a process that we did not bring forth, or that lives below another
// leader, is not touched whatever its environment says.
type genealogy struct {
	self     int   // our pid
	session  int   // our session
	reapers  []int // whose children orphans become: ourselves, and a keeper above us
	leaderOf func(pid int) (proc.ID, bool)
	// seen tells who was seen before to be of whose descent. It is for adopted leaders, whose orphans may become
	// anybody's children; nil for others.
	seen func(entry) proc.ID
	// evidence is asked about orphans and those below them. id is "" if there is none, and sure is false if
	// it cannot be told at this moment.
	evidence func(entry) (id proc.ID, sure bool)
}

// kinship is what a genealogy has found out.
type kinship struct {
	kin    []entry // the living descendants of a leader, itself excepted, in order of pid
	doubt  []entry // orphans of which nothing shows whose they are
	unsure bool    // of some orphan it cannot be told at this moment
}

// of finds the descendants of the leader with that pid.
func (g genealogy) of(id proc.ID, leader int, all table) kinship {
	var k kinship
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
		if owns(leader) && (e.pid == leader || e.sid == leader || e.pgid == leader) || g.seen != nil && g.seen(e) == id {
			add(e)
		}
	}
	for _, reaper := range g.reapers {
		for _, e := range children[reaper] {
			if _, is := g.leaderOf(e.pid); is || e.sid == g.session || e.pid == g.self {
				continue
			}
			switch of, sure := g.descent(e, children); {
			case of == id:
				add(e)
			case of != "" || e.dead:
			case sure:
				k.doubt = append(k.doubt, e)
			default:
				k.unsure = true
			}
		}
	}
	for _, e := range found {
		if e.pid != leader && !e.dead {
			k.kin = append(k.kin, e)
		}
	}
	slices.SortFunc(k.kin, func(a, b entry) int { return a.pid - b.pid })
	return k
}

// descent returns whose descendant an orphan is: what it shows itself, else what all below it that show
// something agree on.
func (g genealogy) descent(orphan entry, children map[int][]entry) (id proc.ID, sure bool) {
	id, sure = g.shown(orphan)
	if id != "" {
		return id, true
	}
	for _, c := range children[orphan.pid] {
		below, alsoSure := g.descent(c, children)
		sure = sure && alsoSure
		switch {
		case below == "" || below == id:
		case id == "":
			id = below
		default:
			return "", sure
		}
	}
	return id, sure
}

func (g genealogy) shown(e entry) (id proc.ID, sure bool) {
	if id, is := g.leaderOf(e.sid); is {
		return id, true
	}
	return g.evidence(e)
}
