package vm

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// length is the length of a list: an index with an item after which there is none. Where there are several,
// Lua 5.1 takes one up to which more than half of the items are there, for that is what it keeps as a list;
// the field 10 of { "a", "b", [10] = "c" } is not in it. gopher-lua takes the last below MaxArrayIndex.
func length(t *lua.LTable) int {
	n := t.Len()
	if n >= lua.MaxArrayIndex-1 {
		return beyond(t, n)
	}
	for _, i := range [...]int{n - 1, n / 2, n / 4, n/2 + n/4} {
		if i > 0 && item(t, i) == lua.LNil {
			return halfFull(t, n)
		}
	}
	return n
}

// halfFull returns n, the last index of t, if more than half of the items up to it are there, else the length
// of what is dense.
func halfFull(t *lua.LTable, n int) int {
	used, size, dense := 0, 1, 0 // dense: the largest power of two up to which more than half is there
	for i := 1; i <= n; i++ {
		if item(t, i) != lua.LNil {
			used++
		}
		if i == size {
			if used > size/2 {
				dense = size
			}
			size *= 2
		}
	}
	if used > n/2 {
		return n
	}
	if size/2 < n && used > size/2 {
		dense = size
	}
	return border(0, dense+1, func(i int) bool { return item(t, i) != lua.LNil })
}

// beyond returns the length of a list that is full up to n, where gopher-lua goes on as in a map.
func beyond(t *lua.LTable, n int) int {
	has := func(i int) bool { return item(t, i) != lua.LNil }
	high := n + 1
	for has(high) {
		n = high
		if high > math.MaxInt32 {
			break
		}
		high *= 2
	}
	return border(n, high, has)
}

// border returns an index from low on that is there and whose successor is not. low is there, or 0; high is
// not.
func border(low, high int, has func(int) bool) int {
	for high-low > 1 {
		if mid := low + (high-low)/2; has(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
