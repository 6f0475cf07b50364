package host

import (
	"bytes"
	"sync"
	"time"

	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// interim in-memory log

type line struct {
	Stream    proc.Stream
	Number    int64
	Time      time.Time
	Raw       []byte
	Truncated bool
}

type logbook struct {
	mu   sync.Mutex
	logs map[proc.ID]*memLog
}

func newLogbook(string, func(string, string)) *logbook {
	return &logbook{logs: map[proc.ID]*memLog{}}
}

type memLog struct {
	mu     sync.Mutex
	chunks []chunk
	n      int64
	subs   map[*lines]func()
}
type chunk struct {
	s proc.Stream
	b []byte
	t time.Time
}

func (b *logbook) open(id proc.ID) (manager.Log, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &memLog{subs: map[*lines]func(){}}
	b.logs[id] = l
	return l, nil
}
func (b *logbook) get(id proc.ID) *memLog {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logs[id]
}
func (b *logbook) remove(id proc.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.logs, id)
}
func (b *logbook) written(id proc.ID) int64 {
	l := b.get(id)
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
func (b *logbook) lines(id proc.ID, wake func()) *lines {
	l := b.get(id)
	if l == nil {
		return nil
	}
	r := &lines{l: l}
	l.mu.Lock()
	l.subs[r] = wake
	l.mu.Unlock()
	return r
}
func (b *logbook) tail(id proc.ID, n int) []string {
	r := b.lines(id, func() {})
	if r == nil {
		return nil
	}
	defer r.close()
	var out []string
	for {
		l, ok := r.Next()
		if !ok {
			l, ok = r.Rest()
			if !ok {
				break
			}
		}
		out = append(out, text.Visible(l.Raw))
	}
	return out[max(0, len(out)-n):]
}
func (l *memLog) Append(s proc.Stream, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chunks = append(l.chunks, chunk{s, bytes.Clone(p), time.Now()})
	l.n += int64(len(p))
	for _, w := range l.subs {
		w()
	}
}
func (l *memLog) Files() (string, string) { return "", "" }
func (l *memLog) Close() error            { return nil }

type lines struct {
	l    *memLog
	i    int
	off  int64
	part [2][]byte
	out  []line
	n    int64
	t    time.Time
}

func (r *lines) Offset() int64 { return r.off - int64(len(r.out)) }
func (r *lines) Next() (line, bool) {
	for len(r.out) == 0 {
		r.l.mu.Lock()
		if r.i == len(r.l.chunks) {
			r.l.mu.Unlock()
			return line{}, false
		}
		c := r.l.chunks[r.i]
		r.i++
		r.l.mu.Unlock()
		r.off += int64(len(c.b))
		r.t = c.t
		data := append(r.part[c.s], c.b...)
		for {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			r.n++
			r.out = append(r.out, line{Stream: c.s, Number: r.n, Time: c.t, Raw: bytes.TrimRight(data[:i], "\r")})
			data = data[i+1:]
		}
		r.part[c.s] = bytes.Clone(data)
	}
	l := r.out[0]
	r.out = r.out[1:]
	return l, true
}
func (r *lines) Rest() (line, bool) {
	for s, p := range r.part {
		if len(p) > 0 {
			r.part[s] = nil
			r.n++
			return line{Stream: proc.Stream(s), Number: r.n, Time: r.t, Raw: p}, true
		}
	}
	return line{}, false
}
func (r *lines) close() {
	r.l.mu.Lock()
	delete(r.l.subs, r)
	r.l.mu.Unlock()
}
