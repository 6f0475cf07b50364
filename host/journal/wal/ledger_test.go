package wal

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ledger is a Memory that notices when a group is missing, comes twice or was never appended. The n-th group of all
// changes the account n % accounts; so what the ledger holds says how many groups it has seen, and stays small.
type ledger struct {
	seen     uint64
	accounts map[uint64]string
	lost     int64
	holes    bool // groups may be missing
	refuse   error
}

const accounts = 5

func newLedger() *ledger { return &ledger{accounts: map[uint64]string{}} }

// entryOf is the n-th group, counting from 1.
func entryOf(n uint64) []byte {
	rng := rand.New(rand.NewPCG(n, 7))
	b := binary.LittleEndian.AppendUint64([]byte{'g'}, n)
	for range rng.IntN(150) {
		b = append(b, byte(rng.Uint32()))
	}
	return b
}

func (l *ledger) Apply(group []byte) error {
	if l.refuse != nil {
		return l.refuse
	}
	if len(group) < 9 {
		return fmt.Errorf("a group of %d bytes was never appended", len(group))
	}
	n := binary.LittleEndian.Uint64(group[1:])
	switch group[0] {
	case 's': // of a snapshot: everything up to n
		l.seen = n
	case 'a': // of a snapshot: one account
		l.accounts[n%accounts] = string(group[1:])
	case 'g':
		if string(group) != string(entryOf(n)) || n <= l.seen || n != l.seen+1 && !l.holes {
			return fmt.Errorf("group %d after %d", n, l.seen)
		}
		l.seen = n
		l.accounts[n%accounts] = string(group[1:])
	default:
		return fmt.Errorf("a group of kind %q was never appended", group[0])
	}
	return nil
}

func (l *ledger) Snapshot() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !yield(binary.LittleEndian.AppendUint64([]byte{'s'}, l.seen)) {
			return
		}
		for _, a := range slices.Sorted(maps.Keys(l.accounts)) {
			if !yield([]byte("a" + l.accounts[a])) {
				return
			}
		}
	}
}

func (l *ledger) Recovered(r Report) { l.lost += r.Lost }

// after is the ledger after n groups.
func after(n uint64) *ledger {
	l := newLedger()
	for i := uint64(1); i <= n; i++ {
		_ = l.Apply(entryOf(i))
	}
	return l
}

// writer appends the groups of a ledger and knows which of them were said to be durable.
type writer struct {
	t        *testing.T
	log      *Log
	memory   *ledger
	report   Report
	appended uint64
	durable  uint64
	called   uint64  // callbacks
	outages  []error // as they were told
}

func (w *writer) options(d disk) Options {
	return Options{room: 600, disk: d, Outage: func(err error) { w.outages = append(w.outages, err) }}
}

// open opens a log and checks that it holds the first groups, at least so many and at most as many as were appended.
func open(t *testing.T, d disk, durable, appended uint64) *writer {
	t.Helper()
	w := &writer{t: t, memory: newLedger()}
	var err error
	w.log, w.report, err = Open("", w.memory, w.options(d))
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.log.Close() })
	w.appended, w.durable, w.called = w.memory.seen, w.memory.seen, w.memory.seen
	require.GreaterOrEqual(t, w.memory.seen, durable, "what was said to be durable is lost")
	require.LessOrEqual(t, w.memory.seen, appended, "what was never appended is there")
	require.Equal(t, after(w.memory.seen).accounts, w.memory.accounts)
	return w
}

// append appends n groups, whose callbacks come in their order.
func (w *writer) append(n int) {
	for range n {
		w.appended++
		number := w.appended
		err := w.log.Append(entryOf(number), func(err error) {
			assert.Equal(w.t, w.called+1, number, "the order of the callbacks")
			w.called = number
			if err == nil {
				// Whatever the fate of the earlier ones was, they are in the same file.
				w.durable = number
			} else {
				assert.ErrorIs(w.t, err, ErrNotDurable)
			}
		})
		require.NoError(w.t, err)
	}
}

func (w *writer) close() error {
	w.t.Helper()
	err := w.log.Close()
	require.Equal(w.t, w.appended, w.called, "a callback was not called")
	if err == nil {
		w.durable = w.appended
	}
	return err
}
