package manager

import (
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// offspring is the record of what this process has brought forth.
var offspring = &reaper{table: surveyor{read: readTable}, leaders: map[int]proc.ID{}}

// reaper knows the leaders. Here orphans become children of the system's first process: they are found by
// their session and group alone, and named nowhere if they have left both.
type reaper struct {
	table surveyor

	mu      sync.Mutex
	leaders map[int]proc.ID
}

func (r *reaper) open(bool) error             { return nil }
func (r *reaper) close(bool)                  {}
func (r *reaper) endOrphans() []proc.Leftover { return nil }
func (r *reaper) forgetPipes(proc.ID)         {}
func (r *reaper) outOfMemory(int) bool        { return false }

func (r *reaper) launch(id proc.ID, spec proc.Spec) (launched, error) {
	l, err := launch(id, spec)
	if err == nil {
		r.mu.Lock()
		r.leaders[l.pid] = id
		r.mu.Unlock()
	}
	return l, err
}

func (r *reaper) letGo(id proc.ID, h *handle, _ bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leaders[h.number] == id {
		delete(r.leaders, h.number)
	}
}

// survey finds out who of a process lives beside its leader.
func (r *reaper) survey(id proc.ID, h *handle) census {
	all, err := r.table.take()
	if err != nil {
		return census{unsure: true}
	}
	g := genealogy{
		self: os.Getpid(),
		leaderOf: func(pid int) (proc.ID, bool) {
			r.mu.Lock()
			defer r.mu.Unlock()
			of, is := r.leaders[pid]
			return of, is
		},
	}
	return censusOf(h.number, g.of(id, h.number, all))
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

// watchEvery is how often a member is looked at.
const watchEvery = 50 * time.Millisecond

// watch closes changed when m has gone.
func (m member) watch() (<-chan struct{}, func(), error) {
	changed, stop := make(chan struct{}), make(chan struct{})
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for m.lives() {
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
		close(changed)
	}()
	return changed, sync.OnceFunc(func() { close(stop) }), nil
}
