package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (vm *VM) openTable() {
	vm.SetGlobal("table", vm.newLibrary(map[string]func(c call) int{
		"concat":   tableConcat,
		"foreach":  tableForeach,
		"foreachi": tableForeachi,
		"getn":     func(c call) int { return c.ret(lua.LNumber(length(c.table(1)))) },
		"insert":   tableInsert,
		"maxn":     tableMaxn,
		"remove":   tableRemove,
		"setn": func(c call) int {
			c.table(1)
			c.fail("'setn' is obsolete")
			return 0
		},
		"sort": tableSort,
	}))
}

func item(t *lua.LTable, i int) lua.LValue { return t.RawGet(lua.LNumber(i)) }

func setItem(t *lua.LTable, i int, v lua.LValue) { t.RawSet(lua.LNumber(i), v) }

func tableConcat(c call) int {
	t, sep, i := c.table(1), c.optStr(2, ""), c.optInt(3, 1)
	j := 0
	if c.Get(4) == lua.LNil {
		j = length(t)
	} else {
		j = c.int(4)
	}
	var b strings.Builder
	for k := i; k <= j; k++ {
		v := item(t, k)
		if !convertible(v) {
			c.fail("invalid value (%s) at index %d in table for 'concat'", v.Type(), k)
		}
		b.WriteString(text(v))
		if k < j {
			b.WriteString(sep)
		}
		c.tooLong(b.Len())
	}
	return c.retString(b.String())
}

func tableForeach(c call) int {
	t, fn := c.table(1), c.function(2)
	for k, v := c.vm.next(c, t, lua.LNil); k != lua.LNil; k, v = c.vm.next(c, t, k) {
		if r := c.call2(fn, k, v); r != lua.LNil {
			return c.ret(r)
		}
	}
	return 0
}

func tableForeachi(c call) int {
	t, fn := c.table(1), c.function(2)
	for i, n := 1, length(t); i <= n; i++ {
		if r := c.call2(fn, lua.LNumber(i), item(t, i)); r != lua.LNil {
			return c.ret(r)
		}
	}
	return 0
}

// pollItems is after how many moved items a loop asks whether the call is over.
const pollItems = 1024

func tableInsert(c call) int {
	t := c.table(1)
	end := length(t) + 1
	pos, v := end, c.Get(2)
	switch c.GetTop() {
	case 2:
	case 3:
		pos, v = c.int(2), c.Get(3)
		end = max(end, pos)
		for i := end; i > pos; i-- {
			setItem(t, i, item(t, i-1))
			if i%pollItems == 0 {
				c.vm.checkSpent(c.LState)
			}
		}
	default:
		c.fail("wrong number of arguments to 'insert'")
	}
	setItem(t, pos, v)
	return 0
}

func tableRemove(c call) int {
	t := c.table(1)
	end := length(t)
	pos := c.optInt(2, end)
	if pos < 1 || pos > end {
		return 0
	}
	v := item(t, pos)
	for ; pos < end; pos++ {
		setItem(t, pos, item(t, pos+1))
		if pos%pollItems == 0 {
			c.vm.checkSpent(c.LState)
		}
	}
	setItem(t, end, lua.LNil)
	return c.ret(v)
}

func tableMaxn(c call) int {
	most := lua.LNumber(0)
	c.table(1).ForEach(func(k, _ lua.LValue) {
		if n, ok := k.(lua.LNumber); ok && n > most {
			most = n
		}
	})
	return c.ret(most)
}
