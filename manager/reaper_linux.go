package manager

import (
	"fmt"
	"maps"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// orphanAge is how long a dead child of unknown origin is left to whoever may have started it.
const orphanAge = time.Second

// offspring is the record of what this process has brought forth. Being a parent is a property of the
// process, so there is one, however many Managers there are.
var offspring = newReaper()

// reaper knows the leaders, and reaps the orphans among their descendants.
//
// As the subreaper, this process becomes the parent of every descendant whose parent has ended; the kernel
// lists them as the children of the first thread. They are reaped by number, and only those that nobody else
// waits for: never a leader, whose owner does; never a child in the session of this process, which was started
// by other means; and one that leads a session of its own only if it was once seen to be an orphan, or if
// every Manager says that no one else makes session leaders and nobody has waited for it for a while.
type reaper struct {
	table surveyor
	oom   *oomLog // set while a Manager is open

	mu        sync.Mutex
	managers  int             // that are open
	owning    int             // of these, how many declare that all session leaders are theirs
	before    int             // whether this process was a subreaper before
	list      *os.File        // the children of the first thread; nil if the system does not list them
	above     int             // a subreaper above this process that has the orphans of earlier runs; 0: none
	leaders   map[int]proc.ID // that are not reaped
	guests    map[int]*guest  // of these, the adopted ones
	pipes     map[uint64]proc.ID
	members   map[member]proc.ID // descendants that were seen to be some
	sessions  map[int]proc.ID    // that they were seen in, beside those of leaders
	bare      map[member]bareness
	ids       map[proc.ID]bool // of the leaders, and of those being launched
	launching map[proc.ID]time.Time
	kept      map[proc.ID]bool  // whose leftovers are left alone
	known     map[int]bool      // orphans that were seen alive
	dead      map[int]time.Time // dead children of unknown origin, and when they were first seen
	last      bool              // nothing is launched any more, and every dead child in a session of its own is ours
	recheck   *time.Timer       // wakes the reaping of those
	signals   chan os.Signal    // SIGCHLD
	stopped   chan struct{}
}

func newReaper() *reaper {
	return &reaper{
		table:   surveyor{read: readTable},
		leaders: map[int]proc.ID{}, guests: map[int]*guest{}, pipes: map[uint64]proc.ID{},
		members: map[member]proc.ID{}, sessions: map[int]proc.ID{}, bare: map[member]bareness{}, ids: map[proc.ID]bool{}, launching: map[proc.ID]time.Time{},
		kept: map[proc.ID]bool{}, known: map[int]bool{}, dead: map[int]time.Time{},
	}
}

// open begins the reaping with the first Manager. above is as in reaper.
func (r *reaper) open(owns bool, above int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if above != 0 {
		r.above = above
	}
	if r.managers == 0 {
		var before int32
		unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&before)), 0, 0, 0)
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return os.NewSyscallError("become the reaper of descendants", err)
		}
		r.before = int(before)
		self := strconv.Itoa(os.Getpid())
		r.list, _ = os.Open("/proc/self/task/" + self + "/children")
		r.signals, r.stopped = make(chan os.Signal, 1), make(chan struct{})
		r.oom = openOOMLog()
		signal.Notify(r.signals, syscall.SIGCHLD)
		go r.run(r.signals, r.stopped)
	}
	r.managers++
	if owns {
		r.owning++
	}
	return nil
}

// close ends the reaping with the last Manager.
func (r *reaper) close(owns bool) {
	r.mu.Lock()
	if r.managers == 1 {
		r.last = r.owning == 1 && len(r.launching) == 0
		r.sift()
		r.last = false
	}
	r.managers--
	if owns {
		r.owning--
	}
	if r.managers > 0 {
		r.mu.Unlock()
		return
	}
	signal.Stop(r.signals)
	close(r.signals)
	if r.recheck != nil {
		r.recheck.Stop()
	}
	r.oom.close()
	if r.list != nil {
		r.list.Close()
		r.list = nil
	}
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, uintptr(r.before), 0, 0, 0)
	r.above = 0
	clear(r.members)
	clear(r.sessions)
	clear(r.bare)
	clear(r.kept)
	clear(r.known)
	clear(r.dead)
	stopped := r.stopped
	r.mu.Unlock()
	<-stopped
}

// run looks at the children whenever one has ended.
func (r *reaper) run(signals <-chan os.Signal, stopped chan<- struct{}) {
	defer close(stopped)
	for range signals {
		r.orphans()
	}
}

// launch starts a leader and enters it before its end can be mistaken for an orphan's.
func (r *reaper) launch(id proc.ID, spec proc.Spec, kept *keeping) (launched, error) {
	r.mu.Lock()
	r.launching[id], r.ids[id] = time.Now(), true
	oom := r.oom
	r.mu.Unlock()
	oom.catchUp()
	l, err := launch(id, spec, kept)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.launching, id)
	if err != nil {
		delete(r.ids, id)
		return l, err
	}
	oom.born(l.pid)
	r.leaders[l.pid] = id
	delete(r.guests, l.pid)
	delete(r.known, l.pid)
	delete(r.dead, l.pid)
	for _, pipe := range l.pipes {
		if pipe != 0 {
			r.pipes[pipe] = id
		}
	}
	return l, nil
}

// adopt enters an adopted leader whose streams are those descriptors. One that is gone has no number to enter.
func (r *reaper) adopt(id proc.ID, g *guest, ends [1 + proc.NumStreams]int) error {
	r.mu.Lock()
	oom := r.oom
	r.mu.Unlock()
	oom.catchUp()
	r.mu.Lock()
	defer r.mu.Unlock()
	if of, is := r.leaders[g.pid()]; !is {
		oom.born(g.pid())
		r.leaders[g.pid()], r.guests[g.pid()] = id, g
		delete(r.known, g.pid())
		delete(r.dead, g.pid())
	} else if !g.departed {
		return fmt.Errorf("process %d is %s: %w", g.pid(), of, ErrInUse)
	}
	r.ids[id] = true
	for _, fd := range ends {
		if pipe := pipeAt(fd); pipe != 0 {
			r.pipes[pipe] = id
		}
	}
	return nil
}

// letGo reaps a leader. keep says that others of its descent live and are to be left alone.
func (r *reaper) letGo(id proc.ID, h hold, keep bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.reap()
	if r.leaders[h.pid()] == id { // it may be the number of another by now
		delete(r.leaders, h.pid())
		delete(r.guests, h.pid())
		delete(r.ids, id)
	}
	if keep {
		r.kept[id] = true
		return
	}
	maps.DeleteFunc(r.members, func(_ member, of proc.ID) bool { return of == id })
	maps.DeleteFunc(r.sessions, func(_ int, of proc.ID) bool { return of == id })
}

// outOfMemory reports whether a leader that is not reaped was provably killed for want of memory.
func (r *reaper) outOfMemory(pid int) bool { return r.oom.killed(pid) }

// forgetPipes drops the evidence of pipes that are closed: their numbers will be those of others.
func (r *reaper) forgetPipes(id proc.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for pipe, of := range r.pipes {
		if of == id {
			delete(r.pipes, pipe)
		}
	}
}
