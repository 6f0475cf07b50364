package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// call is one call of a Go function from Lua: its arguments, and how it fails.
type call struct {
	*lua.LState
	vm   *VM
	name string
}

func (vm *VM) newFunction(name string, fn func(c call) int) *lua.LFunction {
	return vm.base.NewFunction(func(L *lua.LState) int { return fn(call{L, vm, name}) })
}

func (vm *VM) newLibrary(functions map[string]func(c call) int) *lua.LTable {
	t := vm.base.NewTable()
	for name, fn := range functions {
		t.RawSetString(name, vm.newFunction(name, fn))
	}
	return t
}

// fail raises a message with the position of the line that called the function.
func (c call) fail(format string, args ...any) {
	c.vm.throw(c.LState, lua.LString(c.vm.where(c.LState, 1)+fmt.Sprintf(format, args...)))
}

// failBare raises a message without a position.
func (c call) failBare(message string) { c.vm.throw(c.LState, lua.LString(message)) }

func (c call) badArg(i int, format string, args ...any) {
	c.fail("bad argument #%d to '%s' (%s)", i, c.name, fmt.Sprintf(format, args...))
}

func (c call) badType(i int, want string) {
	got := "no value"
	if i <= c.GetTop() {
		got = c.Get(i).Type().String()
	}
	c.badArg(i, "%s expected, got %s", want, got)
}

// any returns argument i, which must be there.
func (c call) any(i int) lua.LValue {
	if i > c.GetTop() {
		c.badArg(i, "value expected")
	}
	return c.Get(i)
}

func (c call) table(i int) *lua.LTable {
	t, ok := c.Get(i).(*lua.LTable)
	if !ok {
		c.badType(i, "table")
	}
	return t
}

func (c call) function(i int) *lua.LFunction {
	f, ok := c.Get(i).(*lua.LFunction)
	if !ok {
		c.badType(i, "function")
	}
	return f
}

func (c call) str(i int) string {
	v := c.Get(i)
	if !convertible(v) {
		c.badType(i, "string")
	}
	return text(v)
}

func (c call) optStr(i int, or string) string {
	if c.Get(i) == lua.LNil {
		return or
	}
	return c.str(i)
}

func (c call) num(i int) float64 {
	v, ok := toNumber(c.Get(i))
	if !ok {
		c.badType(i, "number")
	}
	return v
}

func (c call) int(i int) int { return toInteger(c.num(i)) }

func (c call) optInt(i, or int) int {
	if c.Get(i) == lua.LNil {
		return or
	}
	return c.int(i)
}

// ret pushes the results of the function and returns their number.
func (c call) ret(values ...lua.LValue) int {
	for _, v := range values {
		c.Push(v)
	}
	return len(values)
}

// retString returns a string that the function made.
func (c call) retString(s string) int {
	c.vm.budget.charge(len(s))
	c.Push(lua.LString(s))
	return 1
}

// tooLong fails if a string would have more than MaxString bytes.
func (c call) tooLong(n int) {
	if n > MaxString {
		c.fail("resulting string too large (more than %d bytes)", MaxString)
	}
}

// MaxString is the most bytes that a string made by Lua code may have.
const MaxString = 1 << 20

// convertible reports whether v is a string or a number, which Lua takes for each other.
func convertible(v lua.LValue) bool {
	switch v.(type) {
	case lua.LString, lua.LNumber:
		return true
	}
	return false
}

// text returns a string or number as a string.
func text(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return formatNumber(float64(v))
	}
	return ""
}

// toNumber converts a number, or a string that is one.
func toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return parseNumber(string(v))
	}
	return 0, false
}
