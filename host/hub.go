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
	ring  []queued // the newest events, at most keepEvents: that of number n at n modulo keepEvents, from first on
	first uint64   // number of the oldest event in it
	ended bool

	numbered func(seq uint64) // told each number that is given out; may be nil
}

// begin has numbers go on after one that a host before may have given out.
func (h *hub) begin(after uint64, numbered func(seq uint64)) { h.seq, h.numbered = after, numbered }

// keepEvents is how many of the newest events are kept for readers that come back.
const keepEvents = 4096

// emit sends e, which happened at the time at, to every feed. It is about the instance of, "" if about none: a feed that
// shows output shows the first upTo bytes of that instance before it.
func (h *hub) emit(e api.Event, at time.Time, of proc.ID, upTo int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	if h.numbered != nil {
		h.numbered(h.seq)
	}
	head := e.Head()
	head.Seq, head.Time = h.seq, api.Millis(at)
	q := queued{event: e, seq: h.seq, of: of, upTo: upTo}
	for f := range h.feeds {
		f.put(q)
	}
	h.keep(q)
}

// keep puts an event into the ring, in the place of the oldest if that is full. The lock is held.
func (h *hub) keep(q queued) {
	if h.ring == nil {
		h.ring, h.first = make([]queued, keepEvents), q.seq
	}
	h.ring[q.seq%keepEvents] = q
	if q.seq-h.first == keepEvents {
		h.first++
	}
}

// kept returns the events after a number that are still in the ring, in their order. The lock is held.
func (h *hub) kept(after uint64) (events []queued) {
	if h.ring == nil {
		return nil
	}
	for n := max(after+1, h.first); n <= h.seq; n++ {
		events = append(events, h.ring[n%keepEvents])
	}
	return events
}

// resume adds f, which gets the snapshot first, then the events after a number that are kept, then those that come.
func (h *hub) resume(f *Feed, snapshot *api.Snapshot, since *uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	head := snapshot.Head()
	head.Seq, head.Time = h.seq, api.Millis(time.Now())
	snapshot.Host.Seq = h.seq
	snapshot.Missed = since != nil && (*since > h.seq || *since+1 < h.oldest())
	f.queue.put(queued{event: snapshot})
	if since != nil {
		for _, q := range h.kept(*since) {
			f.put(queued{event: q.event, seq: q.seq})
		}
	}
	if h.ended {
		f.queue.close()
		return
	}
	h.enlist(f)
}

// oldest is the number of the oldest event that is kept, or of the next one if none is. The lock is held.
func (h *hub) oldest() uint64 {
	if h.ring == nil {
		return h.seq + 1
	}
	return h.first
}

// last is the number of the last event.
func (h *hub) last() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seq
}

func (h *hub) add(f *Feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.enlist(f)
}

func (h *hub) enlist(f *Feed) {
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
	h.ended = true
	for f := range h.feeds {
		f.queue.close()
	}
}
