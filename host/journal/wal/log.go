package wal

import (
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"
)

// Memory is what the groups of a log amount to. It is used by one goroutine at a time: by Open, then by the goroutine
// of the log.
type Memory interface {
	// Apply takes in a group, which it must not keep. An error ends Open, which then has changed nothing; after Open
	// the group is not written, and the error goes to its callback.
	Apply(group []byte) error
	// Snapshot yields groups that make this Memory out of an empty one.
	Snapshot() iter.Seq[[]byte]
	// Recovered says, within Open, that all that was found is applied, and what is known of the rest.
	Recovered(Report)
}

// Options of a log. The zero Options are usable.
type Options struct {
	// Outage is told why nothing can be made durable, and nil when everything is durable again. It is called within
	// Open or by the goroutine of the log, before the callbacks concerned, and must not block. May be nil.
	Outage func(err error)

	disk disk // nil is the directory of the operating system
	// room is how many bytes may be appended before a fresh file is worth its while; 0 is defaultRoom.
	room int64
}

// defaultRoom keeps a log with little content from being written anew all the time.
const defaultRoom = 1 << 20

// ErrClosed is reported for a group that comes after Close.
var ErrClosed = errors.New("the log is closed")

// ErrTooLarge is reported for a group of more than MaxGroup bytes.
var ErrTooLarge = errors.New("the group is too large")

// ErrNotDurable is wrapped by the error of a callback if the group could not be made durable yet. The log keeps it in
// memory and goes on trying; it must not be appended again.
var ErrNotDurable = errors.New("not on disk yet")

// Log is an open log. Its methods may be called by any goroutine.
type Log struct {
	disk   disk
	memory Memory
	opt    Options
	wake   chan struct{}
	over   chan struct{} // closed when run has returned

	// guarded by mu
	mu      sync.Mutex
	waiting []entry
	closed  bool

	// owned by Open, then by run
	generation uint64          // the highest that was ever used
	current    *generation     // nil while nothing can be written
	hurt       map[string]bool // names of files that were found damaged
	outage     outage
	free       []entry // the batch before, to be used again
	buf        []byte
}

// maxFree is how much room for entries is kept.
const maxFree = 4096

// entry is a group that waits to be written.
type entry struct {
	group []byte
	then  func(error)
}

// Open opens the log in a directory, which it makes if there is none, and applies what it finds there to memory,
// which is empty. The caller sees to it that nobody else has it open. When nothing can be written Open succeeds and
// Options.Outage is told.
func Open(path string, memory Memory, opt Options) (*Log, Report, error) {
	l := &Log{
		disk: opt.disk, memory: memory, opt: opt,
		wake: make(chan struct{}, 1), over: make(chan struct{}), hurt: map[string]bool{},
	}
	if l.opt.room == 0 {
		l.opt.room = defaultRoom
	}
	if l.opt.Outage == nil {
		l.opt.Outage = func(error) {}
	}
	if l.disk == nil {
		d, err := openDirectory(path)
		if err != nil {
			return nil, Report{}, fmt.Errorf("open the log in %q: %w", path, err)
		}
		l.disk = d
	}
	report, err := l.recover()
	if err != nil {
		return nil, Report{}, fmt.Errorf("open the log in %q: %w", path, err)
	}
	// What was read may be in the cache of the system alone, and is acted upon from now on.
	if err := l.renew(); err != nil {
		l.outage.begin(l, err)
	}
	go l.run()
	return l, report, nil
}

// Append hands over a group, which the caller must not change any more, and returns at once. then is called when it
// is durable, or with an error when it could not be made so; it must not block, and may be nil. An empty group is not
// written: its callback tells of those before it. An error of Append itself is ErrClosed or ErrTooLarge, and then is
// not called.
func (l *Log) Append(group []byte, then func(error)) error {
	if len(group) > MaxGroup {
		return fmt.Errorf("append %d bytes: %w", len(group), ErrTooLarge)
	}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return ErrClosed
	}
	l.waiting = append(l.waiting, entry{group, then})
	l.mu.Unlock()
	l.poke()
	return nil
}

// Close writes what was appended, calls the callbacks that are due and ends the log. The error says that not
// everything is durable.
func (l *Log) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.poke()
	<-l.over
	return l.outage.err // run has returned
}

func (l *Log) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// take returns what is waiting.
func (l *Log) take() (batch []entry, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) > 0 {
		batch, l.waiting = l.waiting, l.free[:0]
	}
	return batch, l.closed
}

// run is the goroutine of the log.
func (l *Log) run() {
	defer close(l.over)
	l.outage.retry = time.NewTimer(0)
	defer l.outage.retry.Stop()
	l.outage.schedule()
	for {
		switch batch, closed := l.take(); {
		case len(batch) > 0:
			l.commit(batch)
			clear(batch)
			l.free = batch[:0:min(cap(batch), maxFree)]
		case closed:
			l.finish()
			return
		default:
			l.rest()
			select {
			case <-l.wake:
			case <-l.outage.retry.C:
				l.mend()
			}
		}
	}
}
