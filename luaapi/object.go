package luaapi

import (
	"fmt"
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// metatable makes a metatable that a recipe can neither see nor change.
func metatable(L *lua.LState, functions map[string]lua.LGFunction) *lua.LTable {
	t := L.NewTable()
	for name, fn := range functions {
		t.RawSetString(name, L.NewFunction(fn))
	}
	t.RawSetString("__metatable", lua.LFalse)
	return t
}

// newObject makes a read-only object with these fields. It is no table, so that rawset has no hold on it; a
// field that it does not have is an error with a suggestion.
func (l *load) newObject(L *lua.LState, name string, fields map[string]lua.LValue) *lua.LUserData {
	ud := L.NewUserData()
	ud.Metatable = l.strict(L, name, slices.Sorted(maps.Keys(fields)), func(L *lua.LState, key string) lua.LValue { return fields[key] })
	return ud
}

// strict makes the metatable of an object called name. get is asked for known keys alone.
func (l *load) strict(L *lua.LState, name string, known []string, get func(L *lua.LState, key string) lua.LValue) *lua.LTable {
	return metatable(L, map[string]lua.LGFunction{
		"__index": func(L *lua.LState) int {
			key, ok := L.Get(2).(lua.LString)
			if !ok || !slices.Contains(known, string(key)) {
				l.raise(L, "%s has no field %s%s", name, keyText(L.Get(2)), didYouMean(string(key), known))
			}
			L.Push(get(L, string(key)))
			return 1
		},
		"__newindex": func(L *lua.LState) int {
			l.raise(L, "%s is read-only", name)
			return 0
		},
		"__tostring": func(L *lua.LState) int {
			L.Push(lua.LString(name))
			return 1
		},
	})
}

// keyText writes a key for a message.
func keyText(key lua.LValue) string {
	if s, ok := key.(lua.LString); ok {
		return quote(string(s))
	}
	return fmt.Sprintf("[%s]", describe(key))
}
