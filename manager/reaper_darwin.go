package manager

import (
	"fmt"
	"maps"
	"os"
	"sync"
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// offspring is the record of what this process has brought forth.
var offspring = &reaper{table: surveyor{read: readTable}, leaders: map[int]proc.ID{}, guests: map[int]*guest{}}

// reaper knows the leaders. Here orphans become children of the system's first process: they are found by
// their session and group alone, and named nowhere if they have left both.
type reaper struct {
	table surveyor

	mu      sync.Mutex
	leaders map[int]proc.ID
	guests  map[int]*guest // of these, the adopted ones
}

func (r *reaper) open(bool, int) error        { return nil }
func (r *reaper) close(bool)                  {}
func (r *reaper) endOrphans() []proc.Leftover { return nil }
func (r *reaper) forgetPipes(proc.ID)         {}
func (r *reaper) outOfMemory(int) bool        { return false }

func (r *reaper) launch(id proc.ID, spec proc.Spec, kept *keeping) (launched, error) {
	l, err := launch(id, spec, kept)
	if err == nil {
		r.mu.Lock()
		r.leaders[l.pid] = id
		delete(r.guests, l.pid)
		r.mu.Unlock()
	}
	return l, err
}

// adopt enters an adopted leader.
func (r *reaper) adopt(id proc.ID, g *guest, _ [1 + proc.NumStreams]int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if of, is := r.leaders[g.pid()]; !is {
		r.leaders[g.pid()], r.guests[g.pid()] = id, g
	} else if !g.departed {
		return fmt.Errorf("process %d is %s: %w", g.pid(), of, ErrInUse)
	}
	return nil
}

func (r *reaper) letGo(id proc.ID, h hold, _ bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.reap()
	if r.leaders[h.pid()] == id {
		delete(r.leaders, h.pid())
		delete(r.guests, h.pid())
	}
}

// survey finds out who of a process lives beside its leader.
func (r *reaper) survey(id proc.ID, h hold) census {
	all, err := r.table.take()
	if err != nil {
		return census{unsure: true}
	}
	r.mu.Lock()
	leaders := maps.Clone(r.leaders)
	for pid, g := range r.guests {
		if !g.holds(all, func(entry) bool { return false }) {
			delete(leaders, pid)
		}
	}
	r.mu.Unlock()
	g := genealogy{
		self:     os.Getpid(),
		leaderOf: func(pid int) (proc.ID, bool) { of, is := leaders[pid]; return of, is },
	}
	return censusOf(h.pid(), g.of(id, h.pid(), all))
}

// signal signals m if it still is who it was.
func (m member) signal(sig syscall.Signal) {
	if m.lives() {
		syscall.Kill(m.pid, sig)
	}
}

func (m member) lives() bool {
	e, err := readEntry(m.pid)
	return err == nil && e.started == m.started && !e.dead
}

// watch closes changed when m has gone.
func (m member) watch() (<-chan struct{}, func(), error) {
	changed, cancel := m.poll()
	return changed, cancel, nil
}
