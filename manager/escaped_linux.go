package manager

import (
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// endOrphans ends every orphan that belongs to no process any more and that nobody wants to keep, and returns
// who survives. It does so for the last Manager only, and if every session leader is a Manager's.
func (r *reaper) endOrphans() []proc.Leftover {
	if !r.ownsAll() {
		return nil
	}
	return r.endWith(syscall.SIGTERM, sweepGrace, func() []proc.Leftover {
		return r.endWith(syscall.SIGKILL, killPatience, func() []proc.Leftover {
			survivors, _ := r.unwanted()
			return named(survivors)
		})
	})
}

// endWith sends sig to every orphan that comes to light, and returns when there is none, or what otherwise says
// when patience is over.
func (r *reaper) endWith(sig syscall.Signal, patience time.Duration, otherwise func() []proc.Leftover) []proc.Leftover {
	late := time.After(patience)
	told := map[member]bool{}
	for {
		orphans, err := r.unwanted()
		if err == nil && len(orphans) == 0 {
			return nil
		}
		for _, m := range orphans {
			if !told[m] {
				told[m] = true
				m.signal(sig)
				m.signal(syscall.SIGCONT)
			}
		}
		var changed <-chan struct{}
		var cancel func()
		if err == nil {
			changed, cancel, err = orphans[0].watch()
		}
		if err != nil {
			retry := make(chan struct{})
			t := time.AfterFunc(surveyRetry, func() { close(retry) })
			changed, cancel = retry, func() { t.Stop() }
		}
		select {
		case <-changed:
		case <-late:
			cancel()
			return otherwise()
		}
	}
}

// ownsAll reports whether there is one Manager, and it declares that every session leader is its own.
func (r *reaper) ownsAll() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.managers == 1 && r.owning == 1
}

var errExecuting = errors.New("a process is executing a program at this moment")

// unwanted returns the living orphans, and those below them, that are not of a process whose leftovers are to
// be kept. While there is such a process, orphans that show nothing may be its own.
func (r *reaper) unwanted() ([]member, error) {
	orphans, _ := r.orphans()
	above, _ := r.orphansAbove()
	orphans = append(orphans, above...)
	all, err := r.table.take()
	if err != nil {
		return nil, err
	}
	g := r.genealogy("", all)
	children := all.children()
	r.mu.Lock()
	kept := len(r.kept) > 0
	r.mu.Unlock()
	var ms []member
	var unsure error
	for _, e := range all {
		if !slices.Contains(orphans, e.pid) {
			continue
		}
		switch id, sure := g.descent(e, children); {
		case !sure && id == "":
			unsure = errExecuting
		case id == "" && kept, r.keeps(id):
		default:
			ms = append(ms, below(e, children)...)
		}
	}
	return ms, unsure
}

func (r *reaper) keeps(id proc.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept[id]
}

// below returns the living among e and those below it.
func below(e entry, children map[int][]entry) []member {
	var ms []member
	if !e.dead {
		ms = append(ms, member{e.pid, e.started})
	}
	for _, c := range children[e.pid] {
		ms = append(ms, below(c, children)...)
	}
	return ms
}
