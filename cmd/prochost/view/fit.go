package view

// fit returns the widths of columns in a terminal of that width, 0 for those that are left out. natural is how wide each
// would be; empty are those that say nothing. A table that cannot be made to fit is as narrow as it can be.
func fit(columns []column, natural []int, empty []bool, width int) []int {
	widths := append([]int(nil), natural...)
	if width <= 0 {
		return widths
	}
	for total(widths) > width {
		out := leastNeeded(columns, widths, empty)
		if out < 0 {
			break
		}
		widths[out] = 0
	}
	for {
		squeezed, ok := squeeze(columns, widths, width)
		if ok {
			return squeezed
		}
		out := leastNeeded(columns, widths, nil)
		if out < 0 {
			return squeezed
		}
		widths[out] = 0
	}
}

// squeeze cuts what can be cut, the widest first, and reports whether that is enough.
func squeeze(columns []column, widths []int, width int) ([]int, bool) {
	widths = append([]int(nil), widths...)
	for over := total(widths) - width; over > 0; over-- {
		widest := -1
		for i, c := range columns {
			if c.min > 0 && widths[i] > c.min && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return widths, false
		}
		widths[widest]--
	}
	return widths, true
}

// leastNeeded returns the column of the highest rank that is still there, among those that count; nil: all do.
func leastNeeded(columns []column, widths []int, among []bool) int {
	least := -1
	for i, c := range columns {
		if c.rank > 0 && widths[i] > 0 && (among == nil || among[i]) && (least < 0 || c.rank > columns[least].rank) {
			least = i
		}
	}
	return least
}

func total(widths []int) int {
	sum := 0
	for _, w := range widths {
		if w > 0 {
			sum += w + gap
		}
	}
	return max(sum-gap, 0)
}
