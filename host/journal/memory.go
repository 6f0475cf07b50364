package journal

import (
	"errors"
	"iter"

	"github.com/prochost/prochost/host/journal/wal"
)

// memory is the State as the log keeps it: it is made from the same bytes that a later start will read.
type memory struct {
	state *State

	// of the start
	started   bool
	found     *State // a copy of what was found
	malformed int
	missing   []Range
	counted   bool   // the numbers of the time before are known
	lost      uint64 // bytes of records
}

func (m *memory) Apply(group []byte) error {
	records, err := decode(group)
	switch {
	case err == nil:
	case errors.Is(err, errMalformed) && !m.started:
		// Its checksum is right, so it was written like this. What is around it is of use all the same.
		m.malformed++
		m.lost += uint64(len(group))
		return nil
	default:
		return err
	}
	for _, r := range records {
		if !m.started {
			m.watch(r)
		}
		m.state.Apply(r)
	}
	return nil
}

// watch notices which numbers of notifications are missing.
func (m *memory) watch(r Record) {
	switch r := r.(type) {
	case *Numbers:
		m.counted = true
	case *Notified:
		if next := m.state.notification + 1; m.counted && r.Number > next {
			m.missing = append(m.missing, Range{next, r.Number - 1})
		}
	}
}

func (m *memory) Snapshot() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for records := range m.state.snapshot {
			if !yield(encode(records)) {
				return
			}
		}
	}
}

// minRecord is the size of the smallest record that gives out a number, in bytes.
const minRecord = 4

// outageNumbers is how many numbers are left out after an outage in which somebody may have been told of what is not
// here.
const outageNumbers = 1 << 20

func (m *memory) Recovered(found wal.Report) {
	m.lost += uint64(found.Lost)
	most := uint64(0)
	if m.lost > 0 {
		most = m.lost/minRecord + 1
	}
	if found.Outage {
		most += outageNumbers
	}
	if most > 0 {
		m.state.skip(most, most*EventBlock, m.counted)
	}
	m.found, m.started = m.state.Clone(), true
}
