package host

import (
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proc"
)

// hub numbers events and hands each to every feed, in the same order. It never blocks on a reader.
type hub struct {
	mu    sync.Mutex
	seq   uint64
	feeds map[*Feed]struct{}
}

// emit sends e, which happened at the time at, to every feed. It is about the instance of, "" if about none: a feed that
// shows output shows the first upTo bytes of that instance before it.
func (h *hub) emit(e api.Event, at time.Time, of proc.ID, upTo int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	head := e.Head()
	head.Seq, head.Time = h.seq, api.Millis(at)
	for f := range h.feeds {
		f.queue.put(queued{event: e, of: of, upTo: upTo})
	}
}

func (h *hub) add(f *Feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feeds == nil {
		h.feeds = make(map[*Feed]struct{})
	}
	h.feeds[f] = struct{}{}
}

func (h *hub) remove(f *Feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.feeds, f)
}

// close ends every feed once it has shown what is in it.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for f := range h.feeds {
		f.queue.close()
	}
}
