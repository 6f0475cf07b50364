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
//
// The clock is read once a block: a matcher whose rest is over when a block comes looks at every line that ends in
// it, and one whose rest is over a moment later at none of them.
type observer struct {
	id     proc.ID
	report func(input)
	clock  func() time.Time

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
	o := &observer{id: id, report: report, clock: time.Now, log: log}
	if p.Ready != nil {
		o.ready, err = notify.NewMatchers([]notify.Matcher{{Pattern: p.Ready.Log, Mode: p.Ready.Mode}})
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Output implements proc.Observer. While no line can mean anything, only the state of the unfinished one is kept.
func (o *observer) Output(s proc.Stream, block []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.clock()
	if o.ready == nil && !o.log.Awake(s, now) {
		o.lines[s].Skip(block)
		return
	}
	o.lines[s].WriteRuns(block, func(run []byte) { o.run(s, run, now) })
}

// Flush implements proc.Observer: a final line without its end counts.
func (o *observer) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.clock()
	for s := range o.lines {
		o.lines[s].FlushRuns(func(run []byte) { o.run(proc.Stream(s), run, now) })
	}
}

// run looks at lines that follow one another. What they bring is reported in the order of the lines, and readiness
// before the matches of its line.
func (o *observer) run(s proc.Stream, run []byte, now time.Time) {
	if o.ready != nil {
		for at := range o.ready.ObserveRun(s, run, now) {
			o.matches(s, run[:at], now)
			o.report(readied{o.id})
			o.ready = nil
			run = run[at:]
			break
		}
	}
	o.matches(s, run, now)
}

func (o *observer) matches(s proc.Stream, run []byte, now time.Time) {
	for _, m := range o.log.ObserveRun(s, run, now) {
		o.report(matched{o.id, m, now})
	}
}

// adopt takes over the matchers of a reload; those that are equal keep what they remember.
func (o *observer) adopt(list []notify.Matcher) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log.Adopt(list)
}
