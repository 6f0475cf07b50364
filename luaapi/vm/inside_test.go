package vm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestInside holds what is read of gopher-lua's own fields against what can be known from outside.
func TestInside(t *testing.T) {
	vm := newVM(t, Options{})
	tb := vm.State().CreateTable(100, 0)
	list, fields := tableRoom(tb)
	assert.Equal(t, 100, list)
	assert.Zero(t, fields)
	for _, k := range []string{"a", "b", "c"} {
		tb.RawSetString(k, lua.LTrue)
	}
	tb.RawSetString("b", lua.LNil)
	tb.RawSetInt(1, lua.LTrue)
	_, fields = tableRoom(tb)
	assert.Equal(t, 3, fields)
	assert.True(t, knowsKey(tb, lua.LString("b")), "a field that was removed")
	assert.True(t, knowsKey(tb, lua.LNumber(1)))
	for _, k := range []lua.LValue{lua.LString("d"), lua.LNumber(2), lua.LNumber(1.5), lua.LTrue} {
		assert.False(t, knowsKey(tb, k), k)
	}

	var lines []int
	var calls []string
	var tail []int
	var kinds []string
	vm.SetGlobal("look", vm.State().NewFunction(func(L *lua.LState) int {
		f, ok := innermost(L)
		require.True(t, ok)
		assert.True(t, f.function().IsG)
		for f, ok = f.parent(); ok; f, ok = f.parent() {
			n, _ := f.line()
			lines, calls, tail = append(lines, n), append(calls, f.calls()), append(tail, f.tailCalls())
		}
		f, _ = innermost(L)
		f, _ = f.parent()
		for i := range 7 {
			kinds = append(kinds, f.typeOf(L, i))
		}
		return 0
	}))
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `local function inner(s, n, b, t, f, x)
  look()
end
local function outer()
  return inner("s", 1, true, {}, print, nil)
end
local function more() return outer() end
more()
`))
	require.NoError(t, err)
	assert.Equal(t, []int{2, 8}, lines)
	assert.Equal(t, []string{"look", "more"}, calls)
	assert.Equal(t, []int{2, 0}, tail)
	assert.Equal(t, []string{"string", "number", "boolean", "table", "function", "nil", "function"}, kinds)

	_, ok := innermost(vm.base)
	assert.False(t, ok, "nothing runs")
}
