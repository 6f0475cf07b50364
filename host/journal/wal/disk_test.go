package wal

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
)

// simDisk is a directory in memory that knows what a loss of power would leave of it. It is as unhelpful as a disk
// may be: what was not synced may be there or not, sector by sector and name by name, and after a sync that failed
// the next one succeeds without having written what the first one left.
type simDisk struct {
	mu     sync.Mutex
	rng    *rand.Rand
	names  map[string]*inode // as the process sees it
	stable map[string]*inode // as of the last sync of the directory
	ops    []string          // that changed something, or tried to
	fate   func(op int, what string) fate
	dead   bool
}

type inode struct {
	cache []byte // as the process sees it
	disk  []byte // what a loss of power leaves for certain
	clean int    // what the system believes to be on the disk
}

// fate is what becomes of an operation.
type fate int

const (
	works fate = iota
	fails      // with an error; it may have been done in part
	dies       // nothing is done any more, from this operation on
)

var errDied = errors.New("the machine has stopped")

func newSimDisk(seed uint64) *simDisk {
	return &simDisk{
		rng:   rand.New(rand.NewPCG(seed, 1)),
		names: map[string]*inode{}, stable: map[string]*inode{},
	}
}

// step counts an operation and says what becomes of it.
func (d *simDisk) step(what string) fate {
	d.ops = append(d.ops, what)
	if d.dead {
		return dies
	}
	f := works
	if d.fate != nil {
		f = d.fate(len(d.ops)-1, what)
	}
	d.dead = f == dies
	return f
}

func (d *simDisk) coin() bool { return d.rng.IntN(2) == 0 }

// writeBack is called after each change of the directory: the system may make it durable without being asked.
func (d *simDisk) writeBack() {
	if d.coin() {
		d.stable = maps.Clone(d.names)
	}
}

const sector = 64 // small, so that frames are torn often

// settle returns what is on the disk of a file if the sectors beyond clean may have been written or not.
func (d *simDisk) settle(n *inode) []byte {
	out := slices.Clone(n.disk)
	end := n.clean + d.rng.IntN(len(n.cache)-n.clean+1)
	if d.rng.IntN(4) == 0 {
		end = len(n.cache)
	}
	for at := n.clean; at < end; {
		next := min(at/sector*sector+sector, end)
		if d.rng.IntN(3) > 0 {
			out = append(out, n.cache[at:next]...)
		} else {
			out = append(out, make([]byte, next-at)...)
		}
		at = next
	}
	return out
}

// powerLoss returns the directory as the next start finds it.
func (d *simDisk) powerLoss() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true // whoever still runs is of the time before
	next := newSimDisk(d.rng.Uint64())
	next.names = maps.Clone(d.stable)
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		if d.stable[name] != d.names[name] && d.coin() {
			next.names[name] = d.names[name]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.stable)) {
		if d.names[name] == nil && d.coin() {
			delete(next.names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(next.names)) {
		data := d.settle(next.names[name])
		next.names[name] = &inode{cache: data, disk: slices.Clone(data), clean: len(data)}
	}
	next.stable = maps.Clone(next.names)
	return next
}

// kill returns the directory as the next start finds it when only the process has ended.
func (d *simDisk) kill() *simDisk {
	next := d.glance()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	return next
}

// decide says what becomes of operations from here on.
func (d *simDisk) decide(f func(op int, what string) fate) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fate = f
}

func everythingFails(int, string) fate { return fails }

// glance returns what kill would.
func (d *simDisk) glance() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := newSimDisk(d.rng.Uint64())
	copies := map[*inode]*inode{}
	clone := func(n *inode) *inode {
		if copies[n] == nil {
			copies[n] = &inode{slices.Clone(n.cache), slices.Clone(n.disk), n.clean}
		}
		return copies[n]
	}
	for name, n := range d.names {
		next.names[name] = clone(n)
	}
	for name, n := range d.stable {
		next.stable[name] = clone(n)
	}
	return next
}

func (d *simDisk) list() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return nil, errDied
	}
	return slices.Sorted(maps.Keys(d.names)), nil
}

func (d *simDisk) read(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.names[name]
	switch {
	case d.dead:
		return nil, errDied
	case n == nil:
		return nil, fs.ErrNotExist
	}
	return slices.Clone(n.cache), nil
}

func (d *simDisk) create(name string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what := "create"
	if name == outageMark {
		what = "mark"
	}
	switch f := d.step(what); {
	case f == dies:
		return nil, errDied
	case f == fails:
		return nil, syscall.ENOSPC
	case d.names[name] != nil:
		return nil, fs.ErrExist
	}
	n := &inode{}
	d.names[name] = n
	d.writeBack()
	return &simFile{d, n}, nil
}

func (d *simDisk) rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.step("rename")
	n := d.names[from]
	switch {
	case f == dies:
		return errDied
	case n == nil:
		return fs.ErrNotExist
	case f == fails && d.coin():
		return syscall.EIO
	}
	delete(d.names, from)
	d.names[to] = n
	d.writeBack()
	if f == fails {
		return syscall.EIO // and it has been done
	}
	return nil
}

func (d *simDisk) remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch f := d.step("remove"); {
	case f == dies:
		return errDied
	case f == fails:
		return syscall.EIO
	case d.names[name] == nil:
		return fs.ErrNotExist
	}
	delete(d.names, name)
	d.writeBack()
	return nil
}

func (d *simDisk) sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch d.step("syncdir") {
	case dies:
		return errDied
	case fails:
		d.writeBack()
		return syscall.EIO
	}
	d.stable = maps.Clone(d.names)
	return nil
}

// size is how many bytes the files take.
func (d *simDisk) size() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.names {
		n += len(f.cache)
	}
	return n
}

type simFile struct {
	d *simDisk
	n *inode
}

func (f *simFile) Write(b []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	part := f.d.rng.IntN(len(b) + 1)
	switch f.d.step("write") {
	case dies:
		f.n.cache = append(f.n.cache, b[:part]...)
		return 0, errDied
	case fails:
		f.n.cache = append(f.n.cache, b[:part]...)
		return part, syscall.ENOSPC
	}
	f.n.cache = append(f.n.cache, b...)
	return len(b), nil
}

func (f *simFile) sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	switch f.d.step("sync") {
	case dies:
		return errDied
	case fails:
		// The pages are taken for clean, whether they were written or not.
		f.n.disk = f.d.settle(f.n)
		f.n.disk = append(f.n.disk, make([]byte, len(f.n.cache)-len(f.n.disk))...)
		f.n.clean = len(f.n.cache)
		return syscall.EIO
	}
	f.n.disk = append(f.n.disk, f.n.cache[f.n.clean:]...)
	f.n.clean = len(f.n.cache)
	return nil
}

func (f *simFile) Close() error { return nil }
