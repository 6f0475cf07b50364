package luaapi

import lua "github.com/yuin/gopher-lua"

// handle is what process and job return. It is called once, with the table; after that it stands for the
// process wherever a name may.
type handle struct {
	name  string
	in    *declaration // of the name
	state handleState
}

type handleState uint8

const (
	named    handleState = iota // the name was given and no table yet
	declared                    // with its table
	refused                     // the name is no good: the table is taken and forgotten
)

// newHandle returns h as an object of the language.
func (l *load) newHandle(L *lua.LState, h *handle) *lua.LUserData {
	ud := L.NewUserData()
	ud.Value = h
	ud.Metatable = l.handleMeta
	return ud
}

func (l *load) newHandleMeta(L *lua.LState) *lua.LTable {
	self := func(L *lua.LState) *handle {
		ud, _ := L.Get(1).(*lua.LUserData)
		h, ok := ud.Value.(*handle)
		if !ok {
			l.raise(L, "want a process, got %s", describe(L.Get(1)))
		}
		return h
	}
	return metatable(L, map[string]lua.LGFunction{
		"__call": func(L *lua.LState) int {
			h := self(L)
			l.onlyWhileLoading(L, h.in.word)
			l.declare(h, l.declaration(L, h.in.word, h.name), L.Get(2))
			L.Push(L.Get(1))
			return 1
		},
		"__index": func(L *lua.LState) int {
			h := self(L)
			if key := L.Get(2); key != lua.LString("name") {
				l.raise(L, `%s has a name and nothing else, got %s`, h.in.subject(), keyText(key))
			}
			L.Push(lua.LString(h.name))
			return 1
		},
		"__newindex": func(L *lua.LState) int {
			l.raise(L, "%s cannot be changed", self(L).in.subject())
			return 0
		},
		"__tostring": func(L *lua.LState) int {
			L.Push(lua.LString(self(L).name))
			return 1
		},
	})
}
