package host

import (
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
)

// The newest events are kept, whatever number a project begins with, and no more than that.
func TestHubKeepsTheNewestEvents(t *testing.T) {
	for _, before := range []uint64{0, 1, keepEvents - 1, 5*keepEvents + 77} {
		var h hub
		h.begin(before, nil)
		assert.Empty(t, h.kept(0))
		assert.Equal(t, before+1, h.oldest())
		emit := func(n int) {
			for range n {
				h.emit(api.NewTrouble("x", "y"), time.Now(), "", 0)
			}
		}
		holds := func(after uint64, first, last uint64) {
			t.Helper()
			var want, got []uint64
			for n := first; n <= last; n++ {
				want = append(want, n)
			}
			for _, q := range h.kept(after) {
				got = append(got, q.event.Head().Seq)
			}
			assert.Equal(t, want, got)
		}
		emit(3)
		holds(0, before+1, before+3)
		holds(before+2, before+3, before+3)
		holds(before+3, 1, 0)
		emit(keepEvents - 3)
		holds(0, before+1, before+keepEvents)
		emit(1)
		assert.Equal(t, before+2, h.oldest())
		holds(0, before+2, before+keepEvents+1)
		emit(3 * keepEvents)
		assert.Equal(t, before+3*keepEvents+2, h.oldest())
		holds(0, before+3*keepEvents+2, before+4*keepEvents+1)
		assert.Len(t, h.ring, keepEvents)
	}
}
