package logs

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/prochost/prochost/manager/proc"
)

// Load opens the log of instance id in dir that was written earlier, to be read. It is like a Log that was
// closed. Bytes that no page of the index covers, because the writer crashed, come last. The error is
// fs.ErrNotExist if there is no such log.
func Load(dir string, id proc.ID, opt Options) (*Log, error) {
	l := newLog(dir, id, opt.withDefaults())
	l.finished = true
	defer l.closeFiles()
	if err := l.recover(); err != nil {
		return nil, fmt.Errorf("load log of %s: %w", id, err)
	}
	return l, nil
}

// recover finds out what the files hold. The error is fs.ErrNotExist if there are none.
func (l *Log) recover() error {
	missing := 0
	for s := range l.streams {
		err := l.streams[s].stat(l.opt.disk)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
		} else if err != nil {
			return err
		}
	}
	if missing == len(l.streams) {
		return fs.ErrNotExist
	}
	x := &l.index
	x.openToRead()
	if x.f != nil {
		if p, ok := lastPage(x.f); ok {
			x.slots, x.page, x.end = p.slots, p, p.end()
			x.first = max(0, p.no-p.slots+1)
		}
	}
	l.dropped = x.page.dropped
	copied := x.page.self != inode(x.info)
	for s := range l.streams {
		l.streams[s].place(&x.page, proc.Stream(s), copied)
	}
	for s := range l.streams {
		l.streams[s].placeAged()
		l.cover(proc.Stream(s))
	}
	return nil
}

// stat finds the files of a stream. It is fs.ErrNotExist if there is neither.
func (st *segments) stat(d disk) error {
	info, err := d.stat(st.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	older, olderErr := d.stat(st.olderPath)
	if err != nil && olderErr != nil {
		return err
	}
	st.newest.path, st.older.path = st.path, st.olderPath
	st.findAged(d)
	if err == nil {
		st.newest.size, st.newest.info = info.Size(), info
	}
	if olderErr == nil {
		st.older.size, st.older.info = older.Size(), older
	}
	return nil
}

// place says which position the files of s begin at, from what p, the last page of the index, knew of them. If the log
// was copied, the files are not known by their inodes.
func (st *segments) place(p *page, s proc.Stream, copied bool) {
	is := func(g *segment, o origin) bool { return g.info != nil && inode(g.info) == o.file }
	last := p.end().place[s]
	switch {
	case copied:
		st.older.base = p.older[s].base
		st.newest.base = max(p.newest[s].base, st.older.end()) // without a page, both are 0
	case is(&st.older, p.newest[s]): // it was rotated after that
		st.older.base = p.newest[s].base
		st.newest.base = st.older.end()
	case is(&st.newest, p.newest[s]):
		st.newest.base = p.newest[s].base
		st.older.base = st.newest.base - st.older.size
		if is(&st.older, p.older[s]) {
			st.older.base = p.older[s].base
		}
	case is(&st.older, p.older[s]):
		st.older.base = p.older[s].base
		st.newest.base = last
	default: // both were made after that
		st.older.base = last
		st.newest.base = st.older.end()
	}
	if st.older.base < 0 || st.older.base > st.newest.base { // whatever it is, it is not of this log
		st.older = segment{path: st.olderPath}
	}
	st.older.size = min(st.older.size, st.newest.base-st.older.base) // nor is what was added to it
}

// cover adds to the index what it does not know of s.
func (l *Log) cover(s proc.Stream) {
	st, x := &l.streams[s], &l.index
	from := max(x.last().place[s], st.start())
	if from < st.end() {
		if x.page.full() || from > x.last().place[s] {
			x.turn(l.dropped)
			x.end.place[s], x.page.start.place[s] = from, from
		}
		at := x.last().time
		if st.newest.info != nil {
			at = st.newest.info.ModTime().UnixMilli()
		}
		x.add(s, int(st.end()-from), l.countLines(s, from, st.end()), at)
		x.seal()
	}
	if end := st.end(); end > st.start() {
		l.midline[s] = !l.lineBegins(s, end)
	}
}

// lastPage finds the page that was written last.
func lastPage(f file) (last page, ok bool) {
	info, err := f.Stat()
	if err != nil {
		return page{}, false
	}
	b := make([]byte, pageSize)
	before := int64(tooMuch)
	for range minSlots { // there are no more that are wrong, or all of them are
		last, ok = page{}, false
		for at := int64(0); at < info.Size(); at += pageSize {
			n, _ := f.ReadAt(b, at)
			if p, good := decodePage(b[:n]); good && p.no < before && (!ok || p.no > last.no) {
				last, ok = p, true
				last.records = append(make([]byte, 0, maxRecords), p.records...)
			}
		}
		if !ok || last.plausible() {
			return last, ok
		}
		before = last.no
	}
	return page{}, false
}
