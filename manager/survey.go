package manager

import (
	"sync"
	"sync/atomic"
)

// surveyor reads the process table for many who ask at the same time. Whoever asks gets a table that was
// begun after the question; a hundred stops at once need few readings.
type surveyor struct {
	read  func() (table, error)
	clock atomic.Uint64

	mu    sync.Mutex
	begun uint64 // when the last reading began
	last  table
	err   error
}

func (s *surveyor) take() (table, error) {
	asked := s.clock.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun <= asked {
		s.begun = s.clock.Add(1)
		s.last, s.err = s.read()
	}
	return s.last, s.err
}
