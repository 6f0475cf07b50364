package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
)

// feed is where the events of a host come from, in order. Its Next returns io.EOF after the last one.
type feed interface {
	Next(ctx context.Context) (api.Event, error)
}

const (
	// readAhead is how many events are taken from the feed before they are shown.
	readAhead = 256
	// maxPrints is how many texts of print wait to be shown while stdout is stuck.
	maxPrints = 1000
	// enough is how many bytes are written at once even if there are more.
	enough = 64 << 10
)

// screen shows a host: one goroutine, run, takes events from the feed and everything else from channels, and writes.
// If stdout is stuck then run is, and the feed holds back; nobody else waits.
//
//	feed ──▶ read ahead ──▶ run ──▶ console ──▶ stdout, or stderr beside JSON
//	print ────────────────▶     └─▶ JSON ─────▶ stdout
//	signals ──────────────▶
type screen struct {
	console *console.Console
	people  io.Writer // where the console goes
	events  io.Writer // where JSON goes; nil: nowhere
	alarm   io.Writer // where it is said that writing is in vain
	gone    func()    // nobody reads the output any more; may be called more than once

	prints   chan string
	dropped  atomic.Int64 // prints that found no room
	notes    chan func(c *console.Console, now time.Time)
	writes   atomic.Int64  // that came to an end
	finished chan struct{} // run has returned

	// owned by run
	json []byte
	mute bool // writing is in vain, which has been said
}

func newScreen() *screen {
	return &screen{
		prints: make(chan string, maxPrints), notes: make(chan func(*console.Console, time.Time), 16),
		finished: make(chan struct{}),
	}
}

// print shows a text of the recipe. It never blocks.
func (s *screen) print(text string) {
	select {
	case s.prints <- text:
	default:
		s.dropped.Add(1)
	}
}

// note has something done with the console, unless it is stuck. It never blocks.
func (s *screen) note(do func(c *console.Console, now time.Time)) {
	select {
	case s.notes <- do:
	default:
	}
}

// run shows everything until the feed ends or ctx is done.
func (s *screen) run(ctx context.Context, f feed) {
	defer close(s.finished)
	events := make(chan api.Event, readAhead)
	var broken error // of the feed; read after events is closed
	go func() {
		defer close(events)
		for {
			e, err := f.Next(ctx)
			if err != nil {
				if !errors.Is(err, io.EOF) && ctx.Err() == nil {
					broken = err
				}
				return
			}
			events <- e
		}
	}()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		if due, ok := s.console.Deadline(); ok {
			timer.Reset(time.Until(due))
		} else {
			timer.Stop()
		}
		select {
		case e, ok := <-events:
			s.printed() // what was printed before an event is shown before it
			if !ok {
				if broken != nil {
					s.console.Warn(fmt.Sprintf("read the events of the host: %v", broken), time.Now())
				}
				s.console.Close(time.Now())
				s.flush()
				return
			}
			s.show(e)
		case text := <-s.prints:
			s.console.Print(text, time.Now())
		case do := <-s.notes:
			do(s.console, time.Now())
		case <-timer.C:
			s.console.Tick(time.Now())
		}
		if len(events) == 0 || s.console.Len()+len(s.json) > enough {
			s.flush()
		}
	}
}

func (s *screen) printed() {
	for {
		select {
		case text := <-s.prints:
			s.console.Print(text, time.Now())
		default:
			if n := s.dropped.Swap(0); n > 0 {
				s.console.Warn(fmt.Sprintf("%s of the recipe left out, while nothing could be written", console.Count(int(n), "print")), time.Now())
			}
			return
		}
	}
}

func (s *screen) show(e api.Event) {
	s.console.Event(e, time.Now())
	if s.events == nil {
		return
	}
	line, err := console.AppendJSON(s.json, e)
	if err != nil { // an event is plain data
		panic(err)
	}
	s.json = line
}

func (s *screen) flush() {
	if s.events != nil && len(s.json) > 0 {
		s.write(s.events, s.json)
		s.json = s.json[:0]
	}
	if s.console.Len() > 0 {
		s.wrote(s.console.Flush(muted{s.people, s.mute && s.events == nil}))
	}
}

func (s *screen) write(w io.Writer, b []byte) {
	if !s.mute {
		_, err := w.Write(b)
		s.wrote(err)
	}
}

// wrote looks at how a write went. A reader that has gone away is no error of anybody's; what else is wrong is said
// once.
func (s *screen) wrote(err error) {
	s.writes.Add(1)
	switch {
	case err == nil || s.mute:
	case errors.Is(err, syscall.EPIPE):
		s.mute = true
		s.gone()
	default:
		s.mute = true
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		fmt.Fprintf(s.alarm, "prochost: write the output: %v; the processes go on, unseen\n", err)
	}
}
