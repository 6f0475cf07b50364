package logs

import (
	"fmt"

	"github.com/prochost/prochost/manager/proc"
)

// Reopen opens the log of instance id in dir that was written earlier, maybe by a program that was killed, to go on
// with it. Every byte that is in its files is kept, and so is the order of arrival as far as the index knows it; what
// it does not know comes behind, stdout first, and what is written next comes behind that. Positions and the numbers
// of lines go on. The error is fs.ErrNotExist if there is no such log.
func Reopen(dir string, id proc.ID, opt Options) (*Log, error) {
	l := newLog(dir, id, opt.withDefaults())
	if err := l.reopen(); err != nil {
		l.closeFiles()
		return nil, fmt.Errorf("reopen log of %s: %w", id, err)
	}
	l.checked = l.opt.Now()
	l.flushed = l.checked
	return l, nil
}

func (l *Log) reopen() error {
	if err := l.recover(); err != nil {
		return err
	}
	l.closeFiles() // they were opened to be read
	x := &l.index
	if err := x.openFile(); err != nil {
		return err
	}
	for s := range l.streams {
		if err := l.resume(proc.Stream(s)); err != nil {
			return err
		}
	}
	x.dirty = true
	l.flush() // what keeps it from being written was told
	return nil
}

// resume opens the newest file of s to go on with it. If there is none, or less of it than the index knows, what is
// written next goes into another one.
func (l *Log) resume(s proc.Stream) error {
	st := &l.streams[s]
	next := l.index.end.place[s]
	if st.newest.info != nil && (st.end() >= next || st.newest.size == 0) {
		f, err := l.opt.disk.reopen(st.path)
		if err != nil {
			return err
		}
		st.newest.f = f
		st.newest.base = max(st.newest.base, next-st.newest.size)
		return nil
	}
	if st.newest.size > 0 {
		if err := l.retire(s); err != nil {
			return err
		}
	}
	st.newest = segment{path: st.path, base: max(st.end(), next)}
	if g, err := st.create(l.opt.disk, st.newest.base); err == nil {
		st.newest = g
	} // else the next bytes meet the same
	return nil
}
