package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// sorter is the quicksort of Lua 5.1, step by step, so that items that compare equal end in the same order
// and an order that contradicts itself is noticed in the same places.
type sorter struct {
	call
	t    *lua.LTable
	less lua.LValue // the function to compare with, or nil for <
	runs int
}

func tableSort(c call) int {
	s := &sorter{call: c, t: c.table(1), less: c.Get(2)}
	if s.less != lua.LNil {
		c.function(2)
	}
	s.sort(1, length(s.t))
	return 0
}

func (s *sorter) before(a, b lua.LValue) bool {
	if s.runs++; s.runs%pollItems == 0 {
		s.vm.checkSpent(s.LState)
	}
	if s.less != lua.LNil {
		return lua.LVAsBool(s.call2(s.less, a, b))
	}
	if a.Type() != b.Type() {
		s.failBare(fmt.Sprintf("attempt to compare %s with %s", a.Type(), b.Type()))
	}
	switch x := a.(type) {
	case lua.LNumber:
		return x < b.(lua.LNumber)
	case lua.LString:
		return x < b.(lua.LString)
	}
	fn := s.GetMetaField(a, "__lt")
	if fn == lua.LNil || fn != s.GetMetaField(b, "__lt") {
		s.failBare(fmt.Sprintf("attempt to compare two %s values", a.Type()))
	}
	return lua.LVAsBool(s.call2(fn, a, b))
}

func (s *sorter) swap(i, j int) {
	a, b := item(s.t, i), item(s.t, j)
	setItem(s.t, i, b)
	setItem(s.t, j, a)
}

// order swaps items i and j if the second belongs before the first.
func (s *sorter) order(i, j int) {
	if s.before(item(s.t, j), item(s.t, i)) {
		s.swap(i, j)
	}
}

func (s *sorter) sort(low, high int) {
	for low < high {
		s.order(low, high)
		if high-low == 1 {
			return
		}
		mid := (low + high) / 2
		if s.before(item(s.t, mid), item(s.t, low)) {
			s.swap(mid, low)
		} else {
			s.order(mid, high)
		}
		if high-low == 2 {
			return
		}
		i := s.partition(low, high, mid)
		// The smaller part by recursion, the larger by iteration: the depth is logarithmic.
		if i-low < high-i {
			s.sort(low, i-1)
			low = i + 1
		} else {
			s.sort(i+1, high)
			high = i - 1
		}
	}
}

// partition puts the items before the pivot, which is at mid, to its left and returns where it ends.
func (s *sorter) partition(low, high, mid int) int {
	pivot := item(s.t, mid)
	s.swap(mid, high-1)
	i, j := low, high-1
	for {
		for i++; s.before(item(s.t, i), pivot); i++ {
			if i > high {
				s.fail("invalid order function for sorting")
			}
		}
		for j--; s.before(pivot, item(s.t, j)); j-- {
			if j < low {
				s.fail("invalid order function for sorting")
			}
		}
		if j < i {
			break
		}
		s.swap(i, j)
	}
	s.swap(high-1, i)
	return i
}
