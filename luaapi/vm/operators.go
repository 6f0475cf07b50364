package vm

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openOperators installs what cured code calls in place of operators.
func (vm *VM) openOperators() {
	for name, fn := range map[string]func(c call) int{
		opConcat: concat,
		opLength: lengthOf,
		opModulo: func(c call) int {
			return arithmetic(c, "__mod", modulo)
		},
		opAppend:   listAppend,
		opJoin:     listJoin,
		opForInit:  forValue("initial value"),
		opForLimit: forValue("limit"),
		opForStep:  forValue("step"),
	} {
		vm.SetGlobal(name, vm.newFunction(name, fn))
	}
}

// listAppend adds its further arguments to a list of a given length.
func listAppend(c call) int {
	t, n := c.table(1), c.int(2)
	for i := 3; i <= c.GetTop(); i++ {
		setItem(t, n+i-2, c.Get(i))
	}
	return c.ret(t)
}

// listJoin adds the items of lists to the first. Each is followed by its length.
func listJoin(c call) int {
	t, n := c.table(1), c.int(2)
	for i := 3; i < c.GetTop(); i += 2 {
		from := c.table(i)
		for k := 1; k <= c.int(i+1); k++ {
			n++
			setItem(t, n, item(from, k))
		}
	}
	return c.ret(t)
}

func forValue(what string) func(c call) int {
	return func(c call) int {
		v, ok := toNumber(c.Get(1))
		if !ok {
			c.fail("'for' %s must be a number", what)
		}
		return c.ret(lua.LNumber(v))
	}
}

// concat is the operator .. on all its operands: from the right, strings and numbers as many at a time as
// there are, else by __concat.
func concat(c call) int {
	n := c.GetTop()
	right := c.Get(n)
	for i := n - 1; i >= 1; {
		left := c.Get(i)
		if !convertible(left) || !convertible(right) {
			right = c.concatMeta(left, right, i)
			i--
			continue
		}
		first, size := i, len(text(right))
		for ; first >= 1 && convertible(c.Get(first)); first-- {
			size += len(text(c.Get(first)))
		}
		c.tooLong(size)
		c.vm.budget.charge(size)
		var b strings.Builder
		b.Grow(size)
		for k := first + 1; k <= i; k++ {
			b.WriteString(text(c.Get(k)))
		}
		b.WriteString(text(right))
		right, i = lua.LString(b.String()), first
	}
	return c.ret(right)
}

// concatMeta concatenates operand i, which is left, and what the operands after it came to.
func (c call) concatMeta(left, right lua.LValue, i int) lua.LValue {
	fn := c.binaryMeta(left, right, "__concat")
	if fn == lua.LNil {
		wrong := left
		if convertible(left) {
			wrong, i = right, i+1
		}
		c.fail("attempt to concatenate %s", value(c.argument(i), wrong.Type().String()))
	}
	return c.call2(fn, left, right)
}

// binaryMeta returns the metamethod of the first operand, else of the second. Strings have none of their
// own: those in their metatable call this.
func (c call) binaryMeta(a, b lua.LValue, event string) lua.LValue {
	for _, v := range [2]lua.LValue{a, b} {
		if v.Type() != lua.LTString {
			if fn := c.GetMetaField(v, event); fn != lua.LNil {
				return fn
			}
		}
	}
	return lua.LNil
}

// call2 returns the first result of fn(a, b).
func (c call) call2(fn, a, b lua.LValue) lua.LValue {
	c.Push(fn)
	c.Push(a)
	c.Push(b)
	c.Call(2, 1)
	r := c.Get(-1)
	c.Pop(1)
	return r
}

// lengthOf is the operator #.
func lengthOf(c call) int {
	switch v := c.Get(1).(type) {
	case lua.LString:
		return c.ret(lua.LNumber(len(v)))
	case *lua.LTable:
		return c.ret(lua.LNumber(length(v)))
	default:
		fn := c.GetMetaField(v, "__len")
		if fn == lua.LNil {
			c.fail("attempt to get length of %s", value(c.argument(1), v.Type().String()))
		}
		return c.ret(c.call2(fn, v, v))
	}
}

// arithmetic is an operator on operands that are not both numbers, or on any: strings that are numbers
// count as such.
func arithmetic(c call, event string, op func(a, b float64) float64) int {
	a, b := c.Get(1), c.Get(2)
	x, aok := toNumber(a)
	y, bok := toNumber(b)
	if aok && bok {
		return c.ret(lua.LNumber(op(x, y)))
	}
	if fn := c.binaryMeta(a, b, event); fn != lua.LNil {
		return c.ret(c.call2(fn, a, b))
	}
	wrong, i := a, 1
	if aok {
		wrong, i = b, 2
	}
	c.fail("attempt to perform arithmetic on %s", value(c.argument(i), wrong.Type().String()))
	return 0
}

// stringArithmetic are the metamethods that make arithmetic on strings Lua's own. gopher-lua asks for them
// before it converts, and would take "010" for octal and "1_000" for a number.
func (vm *VM) stringArithmetic(mt *lua.LTable) {
	for event, op := range map[string]func(a, b float64) float64{
		"__add": func(a, b float64) float64 { return a + b },
		"__sub": func(a, b float64) float64 { return a - b },
		"__mul": func(a, b float64) float64 { return a * b },
		"__div": func(a, b float64) float64 { return a / b },
		"__pow": math.Pow,
	} {
		mt.RawSetString(event, vm.newFunction(event, func(c call) int { return arithmetic(c, event, op) }))
	}
	mt.RawSetString("__unm", vm.newFunction("__unm", func(c call) int {
		v, ok := toNumber(c.Get(1))
		if !ok {
			c.fail("attempt to perform arithmetic on a %s value", c.Get(1).Type())
		}
		return c.ret(lua.LNumber(-v))
	}))
}
