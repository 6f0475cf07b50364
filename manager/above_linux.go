package manager

import (
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// reapers are those whose children orphans become.
func (r *reaper) reapers() []int {
	self := os.Getpid()
	if r.above != 0 && os.Getppid() == r.above {
		return []int{self, r.above}
	}
	return []int{self}
}

// orphansOf is orphans, and of an adopted leader those above as well, to whom its orphans come. Where they come to
// anybody, known is false.
func (r *reaper) orphansOf(h hold) (pids []int, known bool) {
	pids, known = r.orphans()
	g, adopted := h.(*guest)
	if !adopted {
		return pids, known
	}
	r.mu.Lock()
	reapers := r.reapers()
	r.mu.Unlock()
	if !slices.Contains(reapers, g.parent) {
		return pids, false
	}
	above, sure := r.orphansAbove()
	return append(pids, above...), known && sure
}

// orphansAbove returns the living orphans that have come to the subreaper above, in order. known is false if the system
// does not say who they are.
func (r *reaper) orphansAbove() (pids []int, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	reapers := r.reapers()
	if len(reapers) == 1 {
		return nil, true
	}
	above := strconv.Itoa(r.above)
	list, err := os.Open("/proc/" + above + "/task/" + above + "/children")
	if err != nil {
		return nil, false
	}
	defer list.Close()
	all, err := readPIDs(list)
	if err != nil {
		return nil, false
	}
	own, _ := unix.Getsid(0)
	for _, pid := range all {
		if _, leads := r.leaders[pid]; leads || pid == os.Getpid() {
			continue
		}
		if e, err := readEntry(pid); err == nil && !e.dead && e.sid != own {
			pids = append(pids, pid)
		}
	}
	return pids, true
}
