package wal

import "fmt"

// commit makes a batch durable and calls its callbacks.
func (l *Log) commit(batch []entry) {
	refused := l.apply(batch)
	err := l.write(batch)
	for i, e := range batch {
		switch {
		case e.then == nil:
		case refused[i] != nil:
			e.then(refused[i])
		default:
			e.then(err)
		}
	}
	if l.current != nil && l.current.outgrown(l.opt.room) {
		l.compact()
	}
}

// apply takes a batch into the memory and empties the groups that it refuses.
func (l *Log) apply(batch []entry) (refused map[int]error) {
	for i, e := range batch {
		if len(e.group) == 0 {
			continue
		}
		if err := l.memory.Apply(e.group); err != nil {
			if refused == nil {
				refused = map[int]error{}
			}
			refused[i], batch[i].group = err, nil
		}
	}
	return refused
}

// write makes a batch durable that the memory has taken in: at the end of the current file, or with everything else
// in a fresh one.
func (l *Log) write(batch []entry) error {
	if l.current == nil {
		return l.outage.answer()
	}
	b := l.buf[:0]
	for _, e := range batch {
		if len(e.group) > 0 {
			b = l.current.appendGroup(b, e.group)
		}
	}
	if cap(b) <= maxIdle {
		l.buf = b[:0]
	}
	if len(b) == 0 {
		return nil
	}
	failed := l.current.commit(b)
	if failed == nil {
		return nil
	}
	l.current.close()
	l.current = nil
	if err := l.renew(); err != nil {
		l.outage.begin(l, fmt.Errorf("%w, and a fresh file: %w", failed, err))
		return l.outage.answer()
	}
	return nil
}

// maxIdle is how large a buffer may be to be kept.
const maxIdle = 1 << 20

// rest says in the file that its last commit is durable.
func (l *Log) rest() {
	if l.current != nil && l.current.mark() != nil {
		// What was told to be durable is; the next commit finds that nothing can be appended.
		l.current.spoilt = true
	}
}

// compact makes a fresh file because the current one is too large.
func (l *Log) compact() {
	err := l.renew()
	switch {
	case err == nil:
	case l.current != nil: // as good as before
		l.current.base = l.current.size // do not try at every commit
	default:
		l.outage.begin(l, err)
	}
}

// mend tries to end an outage.
func (l *Log) mend() {
	if l.current != nil {
		return
	}
	if err := l.renew(); err != nil {
		l.outage.begin(l, err)
		return
	}
	l.outage.end(l)
}

// finish closes the file, and tries a last time to end an outage.
func (l *Log) finish() {
	l.mend()
	if l.current != nil {
		l.rest()
		l.current.close()
	}
}
