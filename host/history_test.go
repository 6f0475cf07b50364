package host

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
)

// remember adds an instance that has finished, and returns the ids of those that were dropped.
func (h *history) remember(name string, at time.Time) (dropped []proc.ID) {
	for _, i := range h.add(&instance{id: proc.ID(name), at: at, info: proc.Info{Name: strings.TrimRight(name, "0123456789")}}) {
		dropped = append(dropped, i.id)
	}
	return dropped
}

// A name that ends without rest keeps its last instances and pushes out nobody else's.
func TestHistoryOfOneThatEndsWithoutRest(t *testing.T) {
	var h history
	now := time.Now()
	assert.Empty(t, h.remember("other", now))
	for i := range 10 * keepRecords {
		var want []proc.ID
		if i >= keepRecords {
			want = []proc.ID{proc.ID(fmt.Sprint("p", i-keepRecords))}
		}
		assert.Equal(t, want, h.remember(fmt.Sprint("p", i), now))
		assert.LessOrEqual(t, len(h.order), 2*keepRecords+2, "those that have been dropped are not kept")
	}
	assert.Len(t, h.ids, keepRecords+1)

	dropped := h.remember("last", now.Add(keepFor))
	assert.Len(t, dropped, 2, "as many as there are too many, since all are old enough")
	assert.Equal(t, proc.ID("other"), dropped[0], "the oldest first")
}

// However many fail together, each is remembered for its time.
func TestHistoryOfManyNames(t *testing.T) {
	var h history
	now := time.Now()
	for i := range 1000 {
		assert.Empty(t, h.remember(fmt.Sprint("p", i, "x"), now))
	}
	assert.Empty(t, h.remember("early", now.Add(keepFor-1)))
	dropped := h.remember("late", now.Add(keepFor))
	assert.Len(t, dropped, 1002-keepRecords)
	assert.Len(t, h.ids, keepRecords)
	assert.Len(t, h.named, keepRecords)
}
