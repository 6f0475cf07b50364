package manager

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPace(t *testing.T) {
	const capacity = 64 << 10
	type read struct {
		at     float64 // milliseconds
		n      int
		rested bool
		next   turn
		full   bool
	}
	for name, reads := range map[string][]read{
		"lines now and then are read at once": {
			{at: 0, n: 100, next: onCall}, {at: 5, n: 100, next: onCall}, {at: 6, n: 100, next: onCall},
		},
		"lines that follow soon gather, until none come": {
			{at: 0, n: 100, next: onCall}, {at: 0.1, n: 100, next: afterRest},
			{at: 1.1, n: 1000, rested: true, next: afterRest}, {at: 2.3, n: 100, rested: true, next: afterRest},
			{at: 3.4, n: 0, rested: true, next: onCall}, {at: 4.6, n: 100, next: onCall},
		},
		"who fills the pipe does not wait for the end of a rest": {
			{at: 0, n: 100, next: onCall}, {at: 0.1, n: 200, next: afterRest},
			{at: 1.1, n: capacity, rested: true, next: onCall, full: true}, {at: 1.2, n: 900, next: onCall},
			{at: 1.3, n: capacity, next: onCall, full: true}, {at: 1.4, n: 10_000, next: onCall},
		},
		"a pipe is full when a page may not be full": {
			{at: 0, n: capacity - slack, next: onCall, full: true},
		},
		"who writes more in a rest than has room stays fast": {
			{at: 0, n: capacity, next: onCall, full: true}, {at: 0.5, n: 25_000, next: onCall}, {at: 1, n: 25_000, next: onCall},
			{at: 1.5, n: 25_000, next: onCall}, {at: 2, n: 25_000, next: onCall},
		},
		"who becomes slower gets rests": {
			{at: 0, n: capacity, next: onCall, full: true}, {at: 0.5, n: 15_000, next: onCall}, {at: 1, n: 15_000, next: afterRest},
			{at: 2, n: 20_000, rested: true, next: afterRest}, {at: 3, n: 0, rested: true, next: onCall},
		},
		"who was fast and falls silent begins anew": {
			{at: 0, n: capacity, next: onCall, full: true}, {at: 9, n: 100, next: afterRest}, {at: 10, n: 0, rested: true, next: onCall},
			{at: 19, n: 100, next: onCall},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var p pace
			begin := time.Now()
			for i, r := range reads {
				next, full := p.next(r.n, capacity, r.rested, begin.Add(time.Duration(r.at*float64(time.Millisecond))))
				assert.Equal(t, r.next, next, "read %d", i)
				assert.Equal(t, r.full, full, "read %d", i)
			}
		})
	}
}
