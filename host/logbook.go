package host

import (
	"cmp"
	"sync"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// logbook holds the logs of the instances that are remembered.
type logbook struct {
	dir     string
	cap     int64 // of one stream of one log
	trouble func(what, message string)

	mu     sync.Mutex
	logs   map[proc.ID]*volume
	limits map[proc.ID]recipe.Log // of those that are about to be opened
}

// volume is one log. Its writer, which may outlive the end of the leader, closes it; only then can it be deleted.
type volume struct {
	*logs.Log
	book   *logbook
	id     proc.ID
	closed bool // guarded by book.mu, as is doomed
	doomed bool // it is forgotten, and deleted when it is closed
}

func newLogbook(dir string, cap int64, trouble func(what, message string)) *logbook {
	return &logbook{dir: dir, cap: cap, trouble: trouble, logs: make(map[proc.ID]*volume), limits: make(map[proc.ID]recipe.Log)}
}

// limit says how much the log of an instance is to keep, before it is started.
func (b *logbook) limit(id proc.ID, l recipe.Log) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limits[id] = l
}

// open makes the log of an instance.
func (b *logbook) open(id proc.ID) (manager.Log, error) {
	b.mu.Lock()
	limit := b.limits[id]
	delete(b.limits, id)
	b.mu.Unlock()
	l, err := logs.Open(b.dir, id, logs.Options{
		Cap: cmp.Or(limit.Cap, b.cap), Keep: limit.Keep, Trouble: func(m string) { b.trouble("log", m) },
	})
	if err != nil {
		return nil, err
	}
	v := &volume{Log: l, book: b, id: id}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logs[id] = v
	return v, nil
}

// Close is called by the writer.
func (v *volume) Close() error {
	err := v.Log.Close()
	v.book.mu.Lock()
	v.closed = true
	doomed := v.doomed
	v.book.mu.Unlock()
	if doomed {
		v.delete()
	}
	return err
}

func (v *volume) delete() {
	if err := v.Log.Remove(); err != nil {
		v.book.trouble("log", err.Error())
	}
}

// get returns the log of an instance, nil if it has none.
func (b *logbook) get(id proc.ID) *logs.Log {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v := b.logs[id]; v != nil {
		return v.Log
	}
	return nil
}

// remove forgets a finished instance and deletes its files.
func (b *logbook) remove(id proc.ID) {
	b.mu.Lock()
	v := b.logs[id]
	delete(b.logs, id)
	delete(b.limits, id) // of one that was refused
	closed := false
	if v != nil {
		v.doomed, closed = true, v.closed
	}
	b.mu.Unlock()
	if closed {
		v.delete()
	}
}

// written is how many bytes an instance has written so far.
func (b *logbook) written(id proc.ID) int64 {
	l := b.get(id)
	if l == nil {
		return 0
	}
	var n int64
	for _, s := range l.Sizes() {
		n += s.Written
	}
	return n
}

// tail returns the last lines of an instance as a reader sees them.
func (b *logbook) tail(id proc.ID, lines int) []string {
	l := b.get(id)
	if l == nil {
		return nil
	}
	r := l.Lines(logs.View{From: logs.Tail(lines)})
	defer r.Close()
	var out []string
	for {
		line, ok := r.Next()
		if !ok {
			if line, ok = r.Flush(); !ok {
				break
			}
		}
		if line.Gap == 0 && line.Dropped == 0 {
			out = append(out, text.Cut(text.Visible(line.Raw), maxTailLine))
		}
	}
	return out[max(0, len(out)-lines):]
}

// maxTailLine bounds a line of a tail, in characters: a hook that wants more reads the log.
const maxTailLine = 1000
