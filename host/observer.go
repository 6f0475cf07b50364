package host

import (
	"sync"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/prochost/prochost/notify/text"
)

// observer looks at every line of one instance, in order, on the goroutines that read its output. It finds the
// log matches and the line that makes the instance ready, and puts them into the host's mailbox before the end of
// the instance can get there.
type observer struct {
	id     proc.ID
	report func(input)

	mu    sync.Mutex // a reload changes matchers while lines come
	lines [proc.NumStreams]text.Lines
	log   *notify.Matchers
	ready *notify.Matchers // nil once it has fired, or if there is none
}

// newObserver watches for p's matchers and its readiness. p is part of a checked recipe.
func newObserver(id proc.ID, p recipe.Process, report func(input)) (*observer, error) {
	log, err := notify.NewMatchers(p.Notify.LogMatches)
	if err != nil {
		return nil, err
	}
	o := &observer{id: id, report: report, log: log}
	if p.Ready != nil {
		o.ready, err = notify.NewMatchers([]notify.Matcher{{Pattern: p.Ready.Log, Mode: p.Ready.Mode}})
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Output implements proc.Observer.
func (o *observer) Output(s proc.Stream, block []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines[s].Write(block, func(line []byte) { o.line(s, line) })
}

// Flush implements proc.Observer: a final line without its end counts.
func (o *observer) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for s := range o.lines {
		o.lines[s].Flush(func(line []byte) { o.line(proc.Stream(s), line) })
	}
}

func (o *observer) line(s proc.Stream, line []byte) {
	if !notify.Watchable(line) {
		return
	}
	now := time.Now()
	if o.ready != nil && len(o.ready.Observe(s, line, now)) > 0 {
		o.ready = nil
		o.report(readied{o.id})
	}
	for _, m := range o.log.Observe(s, line, now) {
		o.report(matched{o.id, m, now})
	}
}

// adopt takes over the matchers of a reload; those that are equal keep what they remember.
func (o *observer) adopt(list []notify.Matcher) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log.Adopt(list)
}
