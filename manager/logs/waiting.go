package logs

// await makes r one of the readers that are called when there is more. The lock is held.
func (l *Log) await(r *Reader) {
	if r.wake == nil || r.isWaiting {
		return
	}
	r.isWaiting, r.nextWaiting = true, l.waiting
	l.waiting = r
}

// forget takes r from the readers that wait. The lock is held.
func (l *Log) forget(r *Reader) {
	for p := &l.waiting; *p != nil; p = &(*p).nextWaiting {
		if *p == r {
			*p = r.nextWaiting
			break
		}
	}
	r.isWaiting, r.nextWaiting = false, nil
}

// takeWaiting makes the readers that wait those that wake calls. The lock is held, and the owner calls.
func (l *Log) takeWaiting() {
	for r := l.waiting; r != nil; {
		next := r.nextWaiting
		r.isWaiting, r.nextWaiting = false, nil
		l.waking = append(l.waking, r.wake)
		r = next
	}
	l.waiting = nil
}

// wake calls the readers that were waiting, without the lock.
func (l *Log) wake() {
	for i, f := range l.waking {
		f()
		l.waking[i] = nil
	}
	l.waking = l.waking[:0]
}
