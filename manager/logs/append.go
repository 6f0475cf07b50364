package logs

import (
	"bytes"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

const (
	// flushEvery is how old the newest arrivals may become before the next Append writes the index.
	flushEvery = time.Second
	// checkEvery is how often Append looks whether the files are still in their place.
	checkEvery = time.Second
)

// Append takes the next bytes that the process wrote to s. They are written at once, and p is not kept.
func (l *Log) Append(s proc.Stream, p []byte) {
	if len(p) == 0 || l.finished {
		return
	}
	now := l.opt.Now()
	if d := now.Sub(l.checked); d >= checkEvery || d < 0 {
		l.checked = now
		l.check(now)
	}
	if l.outage.pauses(now) {
		l.drop(s, p)
		return
	}
	if d := now.Sub(l.flushed); d >= flushEvery || d < 0 {
		l.flushed = now
		l.flush()
	}
	rest, err := l.write(s, p, now.UnixMilli())
	if err != nil {
		l.outage.begin(l, err, now)
		l.drop(s, rest)
		return
	}
	l.outage.end(l)
}

// write writes p, and returns what it could not write.
func (l *Log) write(s proc.Stream, p []byte, now int64) (rest []byte, err error) {
	st := &l.streams[s]
	limit := l.opt.segmentSize()
	for len(p) > 0 {
		if st.newest.f == nil {
			if err := l.recreate(s); err != nil {
				return p, err
			}
		}
		if st.newest.size > 0 && st.newest.size+int64(len(p)) > limit {
			if err := l.rotate(s); err != nil {
				return p, err
			}
		}
		n, err := st.newest.f.Write(p[:min(int64(len(p)), limit)])
		if n > 0 {
			l.arrived(s, p[:n], now)
		}
		p = p[n:]
		if err != nil {
			return p, err
		}
	}
	return nil, nil
}

// arrived makes known what was written.
func (l *Log) arrived(s proc.Stream, p []byte, now int64) {
	lines := int64(bytes.Count(p, []byte{'\n'}))
	if l.index.page.full() || l.index.page.dropped != l.dropped {
		l.nextPage() // what was dropped is told where a page begins
	}
	l.mu.Lock()
	l.streams[s].newest.size += int64(len(p))
	l.midline[s] = p[len(p)-1] != '\n'
	l.index.add(s, len(p), lines, now)
	l.takeWaiting()
	l.mu.Unlock()
	l.wake()
}

// drop counts what is not kept.
func (l *Log) drop(s proc.Stream, p []byte) {
	lines := int64(bytes.Count(p, []byte{'\n'}))
	l.outage.dropped += int64(len(p))
	l.mu.Lock()
	l.dropped[s] += int64(len(p))
	l.index.end.lines += lines
	l.takeWaiting()
	l.mu.Unlock()
	l.wake()
}
