package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/prochost/prochost/notify"
)

// tooLong is how long a process may take before it is said that it is waited for.
const tooLong = time.Second

// slow says on stderr what is still waited for, ever more rarely.
type slow struct {
	over chan struct{}
	done chan struct{}

	targets []target

	mu    sync.Mutex
	since map[string]time.Time // by reference: when it began
}

// watchSlow begins to look at what is going to be done with targets. It ends with close.
func (a *app) watchSlow(targets []target) *slow {
	w := &slow{over: make(chan struct{}), done: make(chan struct{}), targets: targets, since: map[string]time.Time{}}
	go func() {
		defer close(w.done)
		for gap := tooLong; ; gap = min(2*gap, 15*time.Second) {
			select {
			case <-w.over:
				return
			case <-time.After(gap):
				if words := w.words(time.Now()); words != "" {
					a.say("waiting for %s", words)
				}
			}
		}
	}()
	return w
}

func (w *slow) begin(t target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since[t.ref] = time.Now()
}

func (w *slow) end(t target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.since, t.ref)
}

// close ends it; nothing more is said.
func (w *slow) close() {
	close(w.over)
	<-w.done
}

// words lists what has taken too long at now, and for how long it has.
func (w *slow) words(now time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var late []string
	for _, t := range w.targets {
		since, ok := w.since[t.ref]
		if took := now.Sub(since); ok && took >= tooLong {
			late = append(late, fmt.Sprintf("%s (%s)", t.name, notify.Duration(took.Truncate(time.Second))))
		}
	}
	return strings.Join(late, ", ")
}
