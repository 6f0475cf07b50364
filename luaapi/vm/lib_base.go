package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// maxResults is how many values a function may spread, as in Lua 5.1.
const maxResults = 8000

func (vm *VM) openBase() {
	words := map[string]func(c call) int{
		"assert":       baseAssert,
		"error":        baseError,
		"getmetatable": baseGetMetatable,
		"next":         baseNext,
		"pcall":        basePcall,
		"print":        basePrint,
		"rawequal":     baseRawEqual,
		"rawget":       baseRawGet,
		"rawset":       baseRawSet,
		"require":      baseRequire,
		"select":       baseSelect,
		"setmetatable": baseSetMetatable,
		"tonumber":     baseToNumber,
		"tostring":     baseToString,
		"type":         baseType,
		"unpack":       baseUnpack,
		"xpcall":       baseXpcall,
	}
	for name, fn := range words {
		vm.SetGlobal(name, vm.newFunction(name, fn))
	}
	next := vm.newFunction("next", baseNext)
	vm.SetGlobal("pairs", vm.newFunction("pairs", func(c call) int { return c.ret(next, c.table(1), lua.LNil) }))
	step := vm.newFunction("ipairs", ipairsStep)
	vm.SetGlobal("ipairs", vm.newFunction("ipairs", func(c call) int { return c.ret(step, c.table(1), lua.LNumber(0)) }))
}

func ipairsStep(c call) int {
	i := lua.LNumber(c.int(2) + 1)
	v := c.table(1).RawGet(i)
	if v == lua.LNil {
		return 0
	}
	return c.ret(i, v)
}

func baseAssert(c call) int {
	if lua.LVAsBool(c.any(1)) {
		return c.GetTop()
	}
	c.fail("%s", c.optStr(2, "assertion failed!"))
	return 0
}

func baseGetMetatable(c call) int {
	v := c.any(1)
	if v.Type() == lua.LTString {
		return c.ret(c.vm.stringMetatable)
	}
	return c.ret(c.GetMetatable(v))
}

func baseNext(c call) int {
	t, key := c.table(1), c.Get(2)
	if key != lua.LNil && t.RawGet(key) == lua.LNil && t != c.vm.base.G.Global && !knowsKey(t, key) {
		c.failBare("invalid key to 'next'")
	}
	k, v := c.vm.next(c, t, key)
	if k == lua.LNil {
		return c.ret(lua.LNil)
	}
	return c.ret(k, v)
}

func basePrint(c call) int {
	var b strings.Builder
	for i := 1; i <= c.GetTop(); i++ {
		if i > 1 {
			b.WriteByte('\t')
		}
		s := c.tostring(c.Get(i))
		if !convertible(s) {
			c.fail("'tostring' must return a string to 'print'")
		}
		b.WriteString(text(s))
		c.tooLong(b.Len())
	}
	if p := c.vm.opts.Print; p != nil {
		p(b.String())
	}
	return 0
}

// tostring returns v in words, by its __tostring if it has one.
func (c call) tostring(v lua.LValue) lua.LValue {
	if fn := c.GetMetaField(v, "__tostring"); fn != lua.LNil {
		c.Push(fn)
		c.Push(v)
		c.Call(1, 1)
		r := c.Get(-1)
		c.Pop(1)
		return r
	}
	if n, ok := v.(lua.LNumber); ok {
		return lua.LString(formatNumber(float64(n)))
	}
	return lua.LString(v.String())
}

func baseToString(c call) int { return c.ret(c.tostring(c.any(1))) }

func baseType(c call) int { return c.ret(lua.LString(c.any(1).Type().String())) }

func baseToNumber(c call) int {
	base := c.optInt(2, 10)
	if base == 10 {
		if v, ok := toNumber(c.any(1)); ok {
			return c.ret(lua.LNumber(v))
		}
		return c.ret(lua.LNil)
	}
	s := c.str(1)
	if base < 2 || base > 36 {
		c.badArg(2, "base out of range")
	}
	if v, ok := parseInteger(s, base); ok {
		return c.ret(lua.LNumber(v))
	}
	return c.ret(lua.LNil)
}

func baseRawEqual(c call) int { return c.ret(lua.LBool(c.RawEqual(c.any(1), c.any(2)))) }

func baseRawGet(c call) int {
	t, key := c.table(1), c.any(2)
	v := t.RawGet(key)
	if v == lua.LNil && t == c.vm.base.G.Global && !hidden(key) {
		v = c.vm.words.RawGet(key)
	}
	return c.ret(v)
}

func baseRawSet(c call) int {
	t, key, v := c.table(1), c.any(2), c.any(3)
	if t == c.vm.base.G.Global {
		c.vm.mayAssign(c, key)
	}
	c.checkKey(key)
	t.RawSet(key, v)
	return c.ret(t)
}

// checkKey fails if key cannot be one.
func (c call) checkKey(key lua.LValue) {
	if key == lua.LNil {
		c.failBare("table index is nil")
	}
	if n, ok := key.(lua.LNumber); ok && n != n {
		c.failBare("table index is NaN")
	}
}

func baseSelect(c call) int {
	n := c.GetTop()
	if s, ok := c.Get(1).(lua.LString); ok && s == "#" {
		return c.ret(lua.LNumber(n - 1))
	}
	i := c.int(1)
	if i < 0 {
		i = n + i
	}
	if i < 1 {
		c.badArg(1, "index out of range")
	}
	return n - min(i, n)
}

func baseSetMetatable(c call) int {
	t := c.table(1)
	mt := c.Get(2)
	if c.GetTop() < 2 || mt != lua.LNil && mt.Type() != lua.LTTable {
		c.badArg(2, "nil or table expected")
	}
	if c.GetMetaField(t, "__metatable") != lua.LNil {
		c.fail("cannot change a protected metatable")
	}
	t.Metatable = mt
	return c.ret(t)
}

func baseUnpack(c call) int {
	t := c.table(1)
	i := c.optInt(2, 1)
	j := 0
	if c.Get(3) == lua.LNil {
		j = length(t)
	} else {
		j = c.int(3)
	}
	if i > j {
		return 0
	}
	if n := j - i; n < 0 || n >= maxResults {
		c.fail("too many results to unpack")
	}
	for k := i; k <= j; k++ {
		c.Push(t.RawGet(lua.LNumber(k)))
	}
	return j - i + 1
}
