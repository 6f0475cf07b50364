package manager

import (
	"sync"

	"github.com/prochost/prochost/manager/proc"
)

// output takes what a process writes: into its log, and until its end is told to its observer. Its lock makes
// the order of arrival of both streams one order.
type output struct {
	mu       sync.Mutex
	log      Log           // nil without one; set before anything arrives
	observer proc.Observer // nil after flush
}

func newOutput(observer proc.Observer) *output {
	return &output{observer: observer}
}

func (o *output) write(s proc.Stream, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log != nil {
		o.log.Append(s, p)
	}
	if o.observer != nil {
		o.observer.Output(s, p)
	}
}

// flush ends the observer's view.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.observer != nil {
		o.observer.Flush()
		o.observer = nil
	}
}

// close closes the log. What still arrives is dropped.
func (o *output) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	log := o.log
	o.log = nil
	if log == nil {
		return nil
	}
	return log.Close()
}
