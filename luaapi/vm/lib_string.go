package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (vm *VM) openString() {
	lib := vm.newLibrary(map[string]func(c call) int{
		"byte":    stringByte,
		"char":    stringChar,
		"find":    stringFind,
		"format":  stringFormat,
		"gmatch":  stringGmatch,
		"gsub":    stringGsub,
		"len":     func(c call) int { return c.ret(lua.LNumber(len(c.str(1)))) },
		"lower":   func(c call) int { return c.retString(mapBytes(c.str(1), 'A', 'Z')) },
		"match":   stringMatch,
		"rep":     stringRep,
		"reverse": stringReverse,
		"sub":     stringSub,
		"upper":   func(c call) int { return c.retString(mapBytes(c.str(1), 'a', 'z')) },
	})
	lib.RawSetString("gfind", lib.RawGetString("gmatch"))
	vm.SetGlobal("string", lib)

	mt := vm.base.NewTable()
	mt.RawSetString("__index", lib)
	vm.stringArithmetic(mt)
	vm.base.SetMetatable(lua.LString(""), mt)
	vm.stringMetatable = vm.lockedView(mt)
}

// lockedView returns what getmetatable shows of the metatable of strings. Whoever could write to the real
// one would change every string of the state.
func (vm *VM) lockedView(mt *lua.LTable) *lua.LTable {
	inner := vm.base.NewTable()
	inner.RawSetString("__index", mt.RawGetString("__index"))
	lock := vm.base.NewTable()
	lock.RawSetString("__index", inner)
	lock.RawSetString("__metatable", lua.LFalse)
	lock.RawSetString("__newindex", vm.newFunction("__newindex", func(c call) int {
		c.fail("the metatable of strings cannot be changed")
		return 0
	}))
	view := vm.base.NewTable()
	view.Metatable = lock
	return view
}

// relative makes a position that counts from the end if it is negative one that counts from the start.
func relative(pos, length int) int {
	if pos < 0 {
		return max(pos+length+1, 0)
	}
	return pos
}

func stringByte(c call) int {
	s := c.str(1)
	i := relative(c.optInt(2, 1), len(s))
	j := min(relative(c.optInt(3, i), len(s)), len(s))
	i = max(i, 1)
	if i > j {
		return 0
	}
	if j-i+1 > maxResults {
		c.fail("string slice too long")
	}
	for k := i; k <= j; k++ {
		c.Push(lua.LNumber(s[k-1]))
	}
	return j - i + 1
}

func stringChar(c call) int {
	b := make([]byte, c.GetTop())
	for i := range b {
		v := c.int(i + 1)
		if v < 0 || v > 255 {
			c.badArg(i+1, "invalid value")
		}
		b[i] = byte(v)
	}
	return c.retString(string(b))
}

func stringRep(c call) int {
	s, n := c.str(1), c.int(2)
	if n <= 0 || s == "" {
		return c.ret(lua.LString(""))
	}
	if n > MaxString {
		n = MaxString + 1
	}
	c.tooLong(len(s) * n)
	return c.retString(strings.Repeat(s, n))
}

func stringReverse(c call) int {
	s := c.str(1)
	b := make([]byte, len(s))
	for i := range b {
		b[i] = s[len(s)-1-i]
	}
	return c.retString(string(b))
}

func stringSub(c call) int {
	s := c.str(1)
	i := max(relative(c.int(2), len(s)), 1)
	j := min(relative(c.optInt(3, -1), len(s)), len(s))
	if i > j {
		return c.ret(lua.LString(""))
	}
	return c.ret(lua.LString(s[i-1 : j]))
}

// mapBytes changes the case of the letters from first to last, of ASCII alone as in the C locale.
func mapBytes(s string, first, last byte) string {
	b := []byte(s)
	for i, c := range b {
		if c >= first && c <= last {
			b[i] = c ^ 0x20
		}
	}
	return string(b)
}
