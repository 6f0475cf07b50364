package manager

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// orphans reaps the dead ones and returns those who live, in order. known is false if the system does not say
// who they are.
func (r *reaper) orphans() (pids []int, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sift()
}

// sift is orphans under the lock.
func (r *reaper) sift() (living []int, known bool) {
	all, err := r.childPIDs()
	if err != nil {
		return nil, false
	}
	own, _ := unix.Getsid(0)
	for _, pid := range all {
		if _, is := r.leaders[pid]; is {
			continue
		}
		sid, err := unix.Getsid(pid)
		seen := r.wasSeen(pid)
		if err != nil || sid == own && !seen {
			continue
		}
		if !isZombie(pid) {
			living = append(living, pid)
			r.learn(pid)
			continue
		}
		if seen || sid != pid || r.known[pid] || r.abandoned(pid) {
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			delete(r.known, pid)
			delete(r.dead, pid)
		}
	}
	r.prune(all)
	return living, true
}

// wasSeen reports whether a child was seen to be of a leader's descent. One that was adopted may have its descent in
// our own session, or may show nothing of itself to them.
func (r *reaper) wasSeen(pid int) bool {
	if len(r.guests) == 0 {
		return false
	}
	_, was := r.members[member{pid, bornAt(pid)}]
	return was
}

// learn remembers a living child that is an orphan for certain, so that it may be reaped when it is dead and
// shows nothing any more. A leader that is being launched shows the same marks and is none.
func (r *reaper) learn(pid int) {
	if r.known[pid] {
		return
	}
	if id, _, _ := r.shownBy(pid); id != "" {
		_, leader := r.launching[id]
		r.known[pid] = !leader
	}
}

// abandoned reports whether a dead child that leads a session of its own may be reaped though nothing was
// ever known of it.
func (r *reaper) abandoned(pid int) bool {
	if r.last {
		return true
	}
	if r.owning < r.managers {
		return false
	}
	since, seen := r.dead[pid]
	if !seen {
		since = time.Now()
		r.dead[pid] = since
	}
	wait := orphanAge - time.Since(since)
	for _, begun := range r.launching {
		if begun.Before(since) { // it may be this one
			wait = max(wait, orphanAge)
		}
	}
	if wait <= 0 {
		return true
	}
	if r.recheck == nil {
		r.recheck = time.AfterFunc(wait, r.wake)
	} else {
		r.recheck.Reset(wait)
	}
	return false
}

// wake makes run look again.
func (r *reaper) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.managers > 0 {
		select {
		case r.signals <- syscall.SIGCHLD:
		default:
		}
	}
}

// prune forgets what was noted of children that are not there any more.
func (r *reaper) prune(all []int) {
	for pid := range r.known {
		if !slices.Contains(all, pid) {
			delete(r.known, pid)
		}
	}
	for pid := range r.dead {
		if !slices.Contains(all, pid) {
			delete(r.dead, pid)
		}
	}
}

// childPIDs lists the children of the first thread, to which every orphan comes.
func (r *reaper) childPIDs() ([]int, error) {
	if r.list == nil {
		return nil, os.ErrNotExist
	}
	return readPIDs(r.list)
}

// readPIDs reads a list of children from its beginning.
func readPIDs(list io.ReaderAt) ([]int, error) {
	text, err := io.ReadAll(io.NewSectionReader(list, 0, 1<<30))
	if err != nil {
		return nil, err
	}
	var pids []int
	for f := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// isZombie reports whether a child of ours can be waited for.
func isZombie(pid int) bool {
	var si unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &si, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	child, _ := childOf(&si)
	return err == nil && child == pid
}
