package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/prochost/prochost/manager/proc"
)

// numbered returns the path of an older file; the n-th was begun before those with smaller numbers.
func (st *segments) numbered(n int) string {
	return fmt.Sprintf("%s.%d.log", strings.TrimSuffix(st.path, ".log"), n)
}

// age makes the older file of s one of those before it, if so many are kept, and loses the oldest ones if they are too
// many.
// On an error it has done a part of that, which the next call goes on with.
func (l *Log) age(s proc.Stream) error {
	st, room := &l.streams[s], l.opt.Keep-2
	if st.older.size > 0 {
		room--
	}
	for len(st.aged) > max(room, 0) {
		if err := l.opt.disk.remove(st.aged[0].path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.mu.Lock()
		lost := st.aged[0]
		st.aged = st.aged[1:]
		l.mu.Unlock()
		lost.close() // without the lock, for it may take a while
	}
	if room < 0 || st.older.size == 0 {
		return nil
	}
	if farthest := st.numbered(len(st.aged) + 2); len(st.aged) == 0 || st.aged[0].path != farthest {
		if err := l.opt.disk.remove(farthest); err != nil && !errors.Is(err, fs.ErrNotExist) { // not what was made here
			return err
		}
	}
	l.mu.Lock() // before a reader can open one file by the name of another
	defer l.mu.Unlock()
	for i := range st.aged {
		if err := st.aged[i].move(l.opt.disk, st.numbered(len(st.aged)-i+2)); err != nil {
			return err
		}
	}
	if err := st.older.move(l.opt.disk, st.numbered(2)); err != nil {
		return err
	}
	st.aged = append(st.aged, st.older)
	st.older = segment{path: st.olderPath}
	return nil
}

// move renames the file. It may have been taken away.
func (g *segment) move(d disk, to string) error {
	if g.path == to {
		return nil
	}
	if err := d.rename(g.path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	g.path = to
	return nil
}

// findAged finds the files before the older one. While they are renamed one number is nobody's.
func (st *segments) findAged(d disk) {
	for n, missing := 2, 0; missing < 2; n++ {
		info, err := d.stat(st.numbered(n))
		if err != nil {
			missing++
			continue
		}
		missing = 0
		st.aged = append([]segment{{path: st.numbered(n), size: info.Size(), info: info}}, st.aged...)
	}
}

// placeAged says which position they begin at: each ends where the next one begins.
func (st *segments) placeAged() {
	next := st.newest.base
	if st.older.size > 0 {
		next = st.older.base
	}
	for i := len(st.aged) - 1; i >= 0; i-- {
		next -= st.aged[i].size
		st.aged[i].base = next
	}
	if next >= 0 {
		return
	}
	for g := range st.all { // the index is gone
		g.base -= next
	}
}

// all yields every file, the oldest first.
func (st *segments) all(yield func(*segment) bool) {
	for i := range st.aged {
		if !yield(&st.aged[i]) {
			return
		}
	}
	_ = yield(&st.older) && yield(&st.newest)
}
