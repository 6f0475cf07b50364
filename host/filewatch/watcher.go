package filewatch

import (
	"sync"
	"time"
)

// Options configure a Watcher; the zero value is ready for use.
type Options struct {
	// Quiet is how long hints must have stopped before content is compared. Default 150 ms.
	Quiet time.Duration
	// Max bounds how long a burst of hints puts that off. Default 2 s.
	Max time.Duration
	// Poll is the period at which paths that cannot be watched are looked at. Default 1 s.
	Poll time.Duration
	// Notice is told, in one line, that some paths are polled and why, or that none are any more. It is
	// called by the watcher's goroutine: it must not block and must not call the Watcher.
	Notice func(message string)

	open    func() (source, error) // default openSource
	system  *system                // default local
	settled func(reported bool)    // called when a burst is over, before a report
}

func (o Options) withDefaults() Options {
	if o.Quiet <= 0 {
		o.Quiet = 150 * time.Millisecond
	}
	if o.Max <= 0 {
		o.Max = 2 * time.Second
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.open == nil {
		o.open = openSource
	}
	if o.system == nil {
		o.system = &local
	}
	if o.settled == nil {
		o.settled = func(bool) {}
	}
	return o
}

// Watcher watches one set of paths. Its methods may be called by any goroutine.
type Watcher struct {
	changes  chan struct{}
	requests chan request
	quit     chan struct{}
	closing  sync.Once
	done     chan struct{}

	// owned by run
	opts    Options
	watches watches
	paths   []*path
	burst   burst
	polls   polls
	timer   *time.Timer // stopped while nothing is to be waited for
}

// request replaces the set; done is closed when that has happened.
type request struct {
	files []File
	done  chan struct{}
}

// New starts a Watcher of nothing. It cannot fail: what the system does not watch is polled.
func New(o Options) *Watcher {
	o = o.withDefaults()
	w := &Watcher{
		changes:  make(chan struct{}, 1),
		requests: make(chan request),
		quit:     make(chan struct{}),
		done:     make(chan struct{}),
		opts:     o,
		watches:  watches{sys: *o.system, open: o.open},
		burst:    burst{quiet: o.Quiet, max: o.Max},
		timer:    time.NewTimer(o.Max),
		polls:    polls{period: o.Poll, notice: o.Notice, remedy: o.system.remedy},
	}
	go w.run()
	return w
}

// Track replaces the set of paths. Each File is what the caller read last; a path that holds something else by
// now is reported, after a rest. Directories may be tracked, with Fingerprint, for the names in them. When
// Track returns the set is watched, and a report on Changes is about it and no earlier one. After Close
// it does nothing.
func (w *Watcher) Track(files []File) {
	r := request{files: files, done: make(chan struct{})}
	select {
	case w.requests <- r:
		<-r.done
	case <-w.done:
	}
}

// Changes receives when the content of some tracked path differs from what was tracked or reported last,
// and the burst of changes is over. It holds one report, and is never closed.
func (w *Watcher) Changes() <-chan struct{} { return w.changes }

// Close ends the watch and waits for the watcher's goroutine. It may be called more than once.
func (w *Watcher) Close() {
	w.closing.Do(func() { close(w.quit) })
	<-w.done
}

func (w *Watcher) run() {
	defer close(w.done)
	defer w.watches.drop()
	defer w.timer.Stop()
	for {
		if t, ok := earliest(w.burst.Deadline, w.polls.Deadline); ok {
			w.timer.Reset(time.Until(t))
		} else {
			w.timer.Stop()
		}
		select {
		case r := <-w.requests:
			w.track(r.files, time.Now())
			close(r.done)
		case ev, ok := <-w.watches.source.events:
			w.event(ev, ok)
		case err, ok := <-w.watches.source.errors:
			w.trouble(err, ok)
		case <-w.timer.C:
			w.wake(time.Now())
		case <-w.quit:
			return
		}
	}
}

// earliest returns the first of the deadlines that exist.
func earliest(deadlines ...func() (time.Time, bool)) (first time.Time, ok bool) {
	for _, deadline := range deadlines {
		if t, set := deadline(); set && (!ok || t.Before(first)) {
			first, ok = t, true
		}
	}
	return first, ok
}
