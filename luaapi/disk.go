package luaapi

import (
	"errors"
	"slices"
	"sync"
)

// disk reads what takes part in a load and keeps it, so that the same recipe can be run again from the
// text that was good although the files have changed since. It is safe for concurrent use: a load that
// was given up may still read.
type disk struct {
	mu     sync.Mutex
	frozen bool
	files  map[File]*reading // by File with Path and Pattern alone
	order  []*reading
}

type reading struct {
	File
	src   []byte
	names []string
	err   error
}

func newDisk() *disk { return &disk{files: map[File]*reading{}} }

// read returns the content of a file.
func (d *disk) read(path string) ([]byte, error) {
	r := d.once(File{Path: path}, func(r *reading) { r.src, r.File, r.err = readFile(path) })
	return r.src, r.err
}

// list returns the names in dir that match pattern, sorted.
func (d *disk) list(dir, pattern string) []string {
	return d.once(File{Path: dir, Pattern: pattern}, func(r *reading) { r.names, r.File = readDir(dir, pattern) }).names
}

func (d *disk) once(key File, read func(*reading)) *reading {
	d.mu.Lock()
	r, frozen := d.files[key], d.frozen
	d.mu.Unlock()
	if r != nil {
		return r
	}
	r = &reading{File: key}
	if frozen {
		r.err = errors.New("it took no part in the load")
		return r
	}
	read(r) // without the lock: a dead network mount blocks for as long as it likes
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[key] = r
	d.order = append(d.order, r)
	return r
}

// freeze ends the reading: from here on only what was read before is returned.
func (d *disk) freeze() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen = true
}

// again reports whether what is read has been read before, by an earlier run.
func (d *disk) again() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.frozen
}

// all returns what was read, in order of the first use.
func (d *disk) all() []File {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := make([]File, len(d.order))
	for i, r := range d.order {
		files[i] = r.File
	}
	return slices.Clip(files)
}
