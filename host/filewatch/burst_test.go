package filewatch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBurst(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		hints    []time.Duration
		deadline time.Duration // after the first hint; 0: none
		spent    bool          // at the deadline
	}{
		"closed until a hint":             {nil, 0, false},
		"one hint":                        {[]time.Duration{0}, 150 * ms, false},
		"each hint puts it off":           {[]time.Duration{0, 100 * ms, 240 * ms}, 390 * ms, false},
		"hints at the same time":          {[]time.Duration{0, 0, 0}, 150 * ms, false},
		"a hint at the deadline":          {[]time.Duration{0, 150 * ms}, 300 * ms, false},
		"not beyond max":                  {[]time.Duration{0, 1900 * ms}, 2000 * ms, true},
		"rest and max together":           {[]time.Duration{0, 1850 * ms}, 2000 * ms, true},
		"a hint at max changes nothing":   {[]time.Duration{0, 2000 * ms}, 2000 * ms, true},
		"a hint beyond max neither":       {[]time.Duration{0, 5000 * ms}, 2000 * ms, true},
		"long, but it rests before max":   {[]time.Duration{0, 1000 * ms, 1800 * ms}, 1950 * ms, false},
		"the first hint counts, not zero": {[]time.Duration{700 * ms, 710 * ms}, 860 * ms, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := burst{quiet: 150 * ms, max: 2 * time.Second}
			start := time.Unix(1000, 0)
			for _, h := range c.hints {
				b.Hint(start.Add(h))
			}
			at, ok := b.Deadline()
			assert.Equal(t, c.deadline != 0, ok, "Deadline exists")
			if !ok {
				assert.False(t, b.Due(start.Add(time.Hour)), "Due without a hint")
				assert.False(t, b.Spent(start.Add(time.Hour)), "Spent without a hint")
				return
			}
			assert.Equal(t, c.deadline, at.Sub(start), "Deadline")
			assert.False(t, b.Due(at.Add(-1)), "Due just before")
			assert.True(t, b.Due(at), "Due at the deadline")
			assert.Equal(t, c.spent, b.Spent(at), "Spent at the deadline")

			b.Close()
			assert.False(t, b.Due(at.Add(time.Hour)), "Due after Close")
			b.Hint(at.Add(time.Hour))
			again, _ := b.Deadline()
			assert.Equal(t, at.Add(time.Hour+150*ms), again, "Deadline of the next burst")
		})
	}
}
