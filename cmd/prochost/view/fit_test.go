package view

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFit(t *testing.T) {
	columns := []column{{min: 4}, {}, {rank: 2}, {rank: 1}, {min: 3, rank: 3}}
	natural := []int{10, 5, 6, 4, 8} // 33, and 8 between them
	for _, tt := range []struct {
		why   string
		width int
		empty []bool
		want  []int
	}{
		{"no terminal", 0, []bool{false, false, true, true, true}, []int{10, 5, 6, 4, 8}},
		{"all of it fits", 41, make([]bool, 5), []int{10, 5, 6, 4, 8}},
		{"an empty column goes before anything is cut", 40, []bool{false, false, true, true, false}, []int{10, 5, 0, 4, 8}},
		{"the widest is cut first", 39, make([]bool, 5), []int{8, 5, 6, 4, 8}},
		{"then those alike", 37, make([]bool, 5), []int{7, 5, 6, 4, 7}},
		{"as far as they can be", 30, make([]bool, 5), []int{4, 5, 6, 4, 3}},
		{"then the highest rank goes, and the rest has its room back", 29, make([]bool, 5), []int{8, 5, 6, 4, 0}},
		{"and the next", 24, make([]bool, 5), []int{10, 5, 0, 4, 0}},
		{"what has no rank stays", 3, make([]bool, 5), []int{4, 5, 0, 0, 0}},
	} {
		assert.Equal(t, tt.want, fit(columns, natural, tt.empty, tt.width), tt.why)
	}
}

// Whatever the table, it fits if it can be made to, and nothing is wider than it would be or narrower than it may be.
func TestFitAlwaysFits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		n := 1 + r.IntN(8)
		columns, natural, empty := make([]column, n), make([]int, n), make([]bool, n)
		least := 0
		for i := range n {
			natural[i] = 1 + r.IntN(30)
			columns[i] = column{min: r.IntN(2) * (1 + r.IntN(10)), rank: r.IntN(4)}
			empty[i] = r.IntN(3) == 0
			if columns[i].rank == 0 {
				if least += natural[i]; columns[i].min > 0 {
					least += min(columns[i].min, natural[i]) - natural[i]
				}
				least += gap
			}
		}
		width := 1 + r.IntN(120)
		got := fit(columns, natural, empty, width)
		assert.LessOrEqual(t, total(got), max(width, least-gap), "%+v %v %d", columns, natural, width)
		for i, w := range got {
			if w == 0 {
				assert.NotZero(t, columns[i].rank)
				continue
			}
			assert.LessOrEqual(t, w, natural[i])
			if columns[i].min > 0 {
				assert.GreaterOrEqual(t, w, min(columns[i].min, natural[i]))
			} else {
				assert.Equal(t, natural[i], w)
			}
		}
	}
}
