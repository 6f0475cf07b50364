package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

// feed is where the events of a host come from, in order. Its Next returns io.EOF after the last one.
type feed interface {
	Next(ctx context.Context) (api.Event, error)
}

const (
	// readAhead is how many events are taken from the feed before they are shown.
	readAhead = 256
	// maxPrints is how many texts of print wait to be shown while an outlet is stuck.
	maxPrints = 1000
	// enough is how many bytes are written at once even if there are more.
	enough = 64 << 10
)

// screen shows a host. One goroutine, run, takes events from the feed and everything else from channels, and writes.
// If an outlet is stuck then run is, and the feed holds back; nobody else waits.
//
//	feed ──▶ read ahead ──▶ run ──▶ console ──▶ people
//	print ────────────────▶     └─▶ JSON ─────▶ programs
//	signals ──────────────▶
type screen struct {
	console  *console.Console
	people   *outlet
	programs *outlet // nil: nobody wants JSON

	prints  chan string
	dropped atomic.Int64 // prints that found no room
	notes   chan func(c *console.Console, now time.Time)

	json []byte // owned by run
}

func newScreen(c *console.Console, people, programs *outlet) *screen {
	return &screen{
		console: c, people: people, programs: programs,
		prints: make(chan string, maxPrints), notes: make(chan func(*console.Console, time.Time), 16),
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

// written is how many writes came back: while it rises somebody reads.
func (s *screen) written() int64 {
	n := s.people.done.Load()
	if s.programs != nil {
		n += s.programs.done.Load()
	}
	return n
}

// run shows everything until the feed ends or ctx is done.
func (s *screen) run(ctx context.Context, f feed) {
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
			if !ok {
				s.close(broken)
				return
			}
			now := time.Now()
			s.show(e, now)
			for range len(events) { // what is there already needs no select, and no look at the clock
				s.show(<-events, now)
			}
		case text := <-s.prints:
			s.console.Print(text, time.Now())
		case do := <-s.notes:
			do(s.console, time.Now())
		case <-timer.C:
			s.console.Tick(time.Now())
		}
		if len(events) == 0 {
			s.flush()
		}
	}
}

// catchUp shows what waits beside the events.
func (s *screen) catchUp(now time.Time) {
	for len(s.prints) > 0 {
		s.console.Print(<-s.prints, now)
	}
	if s.dropped.Load() > 0 {
		n := int(s.dropped.Swap(0))
		s.console.Warn(fmt.Sprintf("the recipe printed too fast: %s left out", notify.Count(n, "text")), now)
	}
	for len(s.notes) > 0 {
		(<-s.notes)(s.console, now)
	}
}

// show shows an event, after what came before it.
func (s *screen) show(e api.Event, now time.Time) {
	s.catchUp(now)
	s.console.Event(e, now)
	if s.programs != nil {
		line, err := console.AppendJSON(s.json, e)
		if err != nil {
			panic(err) // an event is plain data
		}
		s.json = line
	}
	if s.console.Len()+len(s.json) > enough {
		s.flush()
	}
}

func (s *screen) close(broken error) {
	if broken != nil {
		s.console.Warn(fmt.Sprintf("read the events of the host: %v", broken), time.Now())
	}
	s.catchUp(time.Now())
	s.console.Close(time.Now())
	s.flush()
}

func (s *screen) flush() {
	if s.programs != nil {
		s.programs.Write(s.json)
		s.json = s.json[:0]
	}
	s.console.Flush(s.people)
}
