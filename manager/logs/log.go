package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A Log is the log of one instance. Append, Close and Remove are called by one goroutine at a time, its
// owner; everything else by any.
type Log struct {
	id  proc.ID
	dir string
	opt Options

	// Owned by who calls Append.
	outage  outage
	checked time.Time // when the files were last seen in their place
	flushed time.Time // when the index was last written
	waking  []func()

	mu       sync.Mutex // guards what follows; the owner reads what only it changes without
	streams  [proc.NumStreams]segments
	index    index
	dropped  [proc.NumStreams]int64 // bytes that were not kept
	midline  [proc.NumStreams]bool  // the last byte that was kept ends no line
	finished bool
	readers  int     // that are not closed; without any, only the newest files are open, and of a finished log none
	waiting  *Reader // those that have seen everything, linked by nextWaiting
}

// Open makes the log of instance id in dir, which is made as well if need be. It is an error if there is one
// already. The files can be read by their owner only.
func Open(dir string, id proc.ID, opt Options) (*Log, error) {
	l := newLog(dir, id, opt.withDefaults())
	if err := l.opt.disk.mkdir(dir); err != nil {
		return nil, fmt.Errorf("open log of %s: %w", id, err)
	}
	for s := range l.streams {
		st := &l.streams[s]
		g, err := st.create(l.opt.disk, 0)
		if err != nil {
			l.closeFiles()
			for t := range s {
				l.opt.disk.remove(l.streams[t].path)
			}
			return nil, fmt.Errorf("open log of %s: %w", id, err)
		}
		st.newest = g
	}
	l.checked = l.opt.Now()
	l.flushed = l.checked
	return l, nil
}

func newLog(dir string, id proc.ID, opt Options) *Log {
	l := &Log{id: id, dir: dir, opt: opt}
	name := func(suffix string) string { return filepath.Join(dir, string(id)+"-"+suffix) }
	for s := range l.streams {
		word := proc.Stream(s).String()
		l.streams[s].path, l.streams[s].olderPath = name(word+".log"), name(word+".1.log")
	}
	l.index = index{path: name("order.idx"), disk: opt.disk, slots: opt.slots()}
	l.index.page.slots = l.index.slots
	return l
}

// Files returns the paths of the newest file of each stream.
func (l *Log) Files() (stdout, stderr string) {
	return l.streams[proc.Stdout].path, l.streams[proc.Stderr].path
}

// Size says how much of a stream there is, in bytes.
type Size struct {
	Kept    int64 // on disk
	Written int64 // in all; what is not kept any more was rotated out
	Dropped int64 // that could not be written
}

// Sizes returns the size of each stream.
func (l *Log) Sizes() [proc.NumStreams]Size {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sizes [proc.NumStreams]Size
	for s := range sizes {
		sizes[s] = Size{Kept: l.streams[s].kept(), Written: l.streams[s].end(), Dropped: l.dropped[s]}
	}
	return sizes
}

// Close ends the log; nothing is appended any more. It stays readable. The error says that the order of the
// last arrivals could not be kept on disk; it is known as long as l is.
func (l *Log) Close() error {
	if l.finished {
		return nil
	}
	if l.index.page.dropped != l.dropped {
		l.nextPage()
	}
	err := l.flush()
	l.outage.over(l)
	l.mu.Lock()
	l.finished = true
	if l.readers == 0 {
		l.closeFiles()
	}
	l.takeWaiting()
	l.mu.Unlock()
	l.wake()
	if err != nil {
		return fmt.Errorf("close log of %s: %w", l.id, err)
	}
	return nil
}

// Remove closes the log and deletes its files. Readers are told that the rest is gone.
func (l *Log) Remove() error {
	l.Close() // what it could not write is deleted here
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeFiles()
	l.index.first = l.index.page.no
	paths := []string{l.index.path}
	for s := range l.streams {
		st := &l.streams[s]
		for i := range st.aged {
			paths = append(paths, st.aged[i].path)
		}
		paths = append(paths, st.olderPath, st.path)
		st.aged, st.older, st.newest = nil, segment{}, segment{path: st.path, base: st.end()}
	}
	var errs []error
	for _, path := range paths {
		if err := l.opt.disk.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("remove log of %s: %w", l.id, errors.Join(errs...))
	}
	return nil
}

// closeFiles closes every file. The lock is held.
func (l *Log) closeFiles() {
	for s := range l.streams {
		for g := range l.streams[s].all {
			g.close()
		}
	}
	l.index.close()
}
