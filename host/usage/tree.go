package usage

import "time"

// Process is one row of the table of processes.
type Process struct {
	PID, Parent, Session int
	CPU                  time.Duration // that it has used, without its children
	Memory               int64         // resident bytes
}

// Tree is what one tree uses.
type Tree struct {
	PIDs   []int // the leader first
	CPU    time.Duration
	Memory int64
}

// Trees sorts a table into the trees of leaders, by the pid of each. Whoever descends from two leaders belongs to the
// nearer one.
func Trees(table []Process, leaders []int) map[int]*Tree {
	trees := make(map[int]*Tree, len(leaders))
	for _, pid := range leaders {
		trees[pid] = &Tree{}
	}
	byPID := make(map[int]Process, len(table))
	for _, p := range table {
		byPID[p.PID] = p
	}
	for _, pid := range leaders {
		if p, ok := byPID[pid]; ok {
			trees[pid].add(p)
		}
	}
	for _, p := range table {
		if trees[p.PID] != nil {
			continue
		}
		if t := owner(p, byPID, trees); t != nil {
			t.add(p)
		}
	}
	return trees
}

func (t *Tree) add(p Process) {
	t.PIDs = append(t.PIDs, p.PID)
	t.CPU += p.CPU
	t.Memory += p.Memory
}

// owner climbs from p to the nearest leader, by session or by descent.
func owner(p Process, byPID map[int]Process, trees map[int]*Tree) *Tree {
	for range len(byPID) { // the table may be torn, and have a circle in it
		if t := trees[p.Session]; t != nil {
			return t
		}
		parent, ok := byPID[p.Parent]
		if !ok {
			return nil
		}
		if t := trees[parent.PID]; t != nil {
			return t
		}
		p = parent
	}
	return nil
}
