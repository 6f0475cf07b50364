package host

import "sync"

// mailbox is an ordered queue without a bound, for what may not be lost and is few: lifecycle events, matches,
// requests. Put never blocks. The zero mailbox is not ready; use newMailbox.
type mailbox[T any] struct {
	wake chan struct{} // capacity 1: something was put since the last take

	mu     sync.Mutex
	items  []T
	closed bool
}

func newMailbox[T any]() *mailbox[T] {
	return &mailbox[T]{wake: make(chan struct{}, 1)}
}

// put appends v; after close it does nothing.
func (m *mailbox[T]) put(v T) {
	m.mu.Lock()
	if !m.closed {
		m.items = append(m.items, v)
	}
	m.mu.Unlock()
	m.ring()
}

func (m *mailbox[T]) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take removes and returns all that is there, in order.
func (m *mailbox[T]) take() []T {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items = nil
	return items
}

// len returns how many are there.
func (m *mailbox[T]) len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.items)
}

// close makes further puts do nothing; what is there can still be taken.
func (m *mailbox[T]) close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.ring()
}

// done reports whether it is closed and empty.
func (m *mailbox[T]) done() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed && len(m.items) == 0
}
