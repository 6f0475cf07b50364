package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// rotate makes the newest file of s the older one, which is aged or lost, and begins another.
func (l *Log) rotate(s proc.Stream) error {
	if err := l.retire(s); err != nil {
		return err
	}
	return l.recreate(s)
}

// retire makes the newest file of s the older one, which is aged or lost.
func (l *Log) retire(s proc.Stream) error {
	if err := l.age(s); err != nil {
		return err
	}
	st := &l.streams[s]
	// A rename onto a file has ext4 write out what is renamed; onto nothing, it takes no time.
	if err := l.opt.disk.remove(st.olderPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.mu.Lock() // before a reader can open one file by the name of the other
	if err := l.opt.disk.rename(st.path, st.olderPath); err != nil {
		l.mu.Unlock()
		return err
	}
	lost := st.older
	st.older = st.newest
	st.older.path = st.olderPath
	if l.readers == 0 {
		st.older.close()
	}
	st.newest = segment{path: st.path, base: st.older.end()}
	l.index.seal() // no record spans two files
	l.mu.Unlock()
	lost.close() // which frees it, and may take a while
	return nil
}

// recreate makes the newest file of s, which has none.
func (l *Log) recreate(s proc.Stream) error {
	st := &l.streams[s]
	g, err := st.create(l.opt.disk, st.newest.base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := l.opt.disk.mkdir(l.dir); err != nil {
			return err
		}
		g, err = st.create(l.opt.disk, st.newest.base)
	case errors.Is(err, fs.ErrExist): // not what was made here
		if err := l.opt.disk.remove(st.path); err != nil {
			return err
		}
		g, err = st.create(l.opt.disk, st.newest.base)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	st.newest = g
	l.index.dirty = true
	l.mu.Unlock()
	l.flush() // a file without its base in the index could not be told from the older one
	return nil
}

// check finds out whether somebody removed, replaced or emptied files in use, and makes them anew.
func (l *Log) check(now time.Time) {
	var gone []string
	var streams []proc.Stream
	for s := range l.streams {
		if g := &l.streams[s].newest; g.f != nil && l.replaced(g.path, g.info, g.size) {
			gone = append(gone, fmt.Sprintf("%s with %d bytes", g.path, g.size))
			streams = append(streams, proc.Stream(s))
		}
	}
	x := &l.index
	index := x.f != nil && l.replaced(x.path, x.info, 0)
	if index {
		gone = append(gone, x.path)
	}
	if len(gone) == 0 {
		return
	}
	l.outage.tell(l, "taken away while in use: "+strings.Join(gone, ", "))
	if index {
		l.mu.Lock()
		x.close()
		x.first, x.dirty = x.page.no, true
		l.mu.Unlock()
	}
	for _, s := range streams {
		l.mu.Lock()
		g := &l.streams[s].newest
		g.close()
		*g = segment{path: g.path, base: g.end()}
		x.seal()
		l.mu.Unlock()
		if err := l.recreate(s); err != nil {
			l.outage.begin(l, err, now)
		}
	}
	l.flush()
}

// replaced reports whether path no longer names the file of which info was had, or it is shorter than size.
func (l *Log) replaced(path string, info fs.FileInfo, size int64) bool {
	found, err := l.opt.disk.stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(found, info) || found.Size() < size
}

// nextPage writes the page that is being filled, and begins another one.
func (l *Log) nextPage() {
	l.flush()
	l.mu.Lock()
	l.index.turn(l.dropped)
	l.mu.Unlock()
}

// flush writes the page that is being filled, as it is.
func (l *Log) flush() error {
	x := &l.index
	if !x.dirty {
		return nil
	}
	if x.f == nil {
		l.mu.Lock()
		err := x.openFile()
		l.mu.Unlock()
		if err != nil {
			l.outage.beginOrder(l, err)
			return err
		}
	}
	p := x.image()
	l.mu.Lock() // older files may be taken by others
	for s := range l.streams {
		st := &l.streams[s]
		p.newest[s], p.older[s] = st.newest.origin(), st.older.origin()
	}
	l.mu.Unlock()
	p.self = inode(x.info)
	if err := x.write(p); err != nil {
		l.outage.beginOrder(l, err)
		return err
	}
	x.dirty = false
	l.outage.endOrder()
	return nil
}
