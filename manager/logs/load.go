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
	missing := 0
	for s := range l.streams {
		err := l.streams[s].load(l.opt.disk)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
		} else if err != nil {
			return nil, fmt.Errorf("load log of %s: %w", id, err)
		}
	}
	if missing == len(l.streams) {
		return nil, fmt.Errorf("load log of %s: %w", id, fs.ErrNotExist)
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
	for s := range l.streams {
		l.streams[s].place(x.page.base[s], x.page.file[s])
		l.cover(proc.Stream(s))
	}
	return l, nil
}

// load finds the files of a stream. It is fs.ErrNotExist if there is neither.
func (st *segments) load(d disk) error {
	info, err := d.stat(st.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	older, olderErr := d.stat(st.olderPath)
	if err != nil && olderErr != nil {
		return err
	}
	st.newest.path, st.older.path = st.path, st.olderPath
	if err == nil {
		st.newest.size, st.newest.info = info.Size(), info
	}
	if olderErr == nil {
		st.older.size, st.older.info = older.Size(), older
	}
	return nil
}

// place says which position the files begin at, from what the index knew: base was that of the newest file when
// it had that inode.
func (st *segments) place(base int64, file uint64) {
	switch {
	case st.older.size == 0:
		st.newest.base = base
	case inode(st.older.info) == file: // it was rotated after that
		st.older.base = base
		st.newest.base = st.older.end()
	default:
		st.newest.base = base
		st.older.base = base - st.older.size
		if st.older.base < 0 { // the index is gone
			st.older.base, st.newest.base = 0, st.older.size
		}
	}
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
	for at := int64(0); at < info.Size(); at += pageSize {
		n, _ := f.ReadAt(b, at)
		if p, good := decodePage(b[:n]); good && (!ok || p.no > last.no) {
			last, ok = p, true
			last.records = append(make([]byte, 0, maxRecords), p.records...)
		}
	}
	return last, ok
}
