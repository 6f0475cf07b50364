package vm

import (
	"strings"

	"github.com/prochost/prochost/notify/spell"
	lua "github.com/yuin/gopher-lua"
)

// The table of globals is kept empty of words. They are in a table behind it, so that an assignment to a
// word is always one to a field that does not exist yet, which __newindex sees.

func (vm *VM) openGlobals() {
	vm.words = vm.base.NewTable()
	missing := vm.base.NewTable()
	missing.RawSetString("__index", vm.newFunction("_G", vm.undeclared))
	vm.words.Metatable = missing

	mt := vm.base.NewTable()
	mt.RawSetString("__index", vm.words)
	mt.RawSetString("__newindex", vm.newFunction("_G", vm.setGlobal))
	mt.RawSetString("__metatable", lua.LFalse)
	vm.base.G.Global.Metatable = mt
	vm.SetGlobal("_G", vm.base.G.Global)
	vm.SetGlobal("_VERSION", lua.LString("Lua 5.1"))
}

// absent are names of Lua 5.1 that do not exist here, with the reason.
var absent = map[string]string{
	"io":             "nothing here reads or writes files",
	"debug":          "the debug library is not available",
	"coroutine":      "coroutines are not available",
	"package":        "the package library is not available; use require",
	"module":         "module() is not available; return a table instead",
	"load":           "code cannot be loaded from strings",
	"loadstring":     "code cannot be loaded from strings",
	"loadfile":       "use require",
	"dofile":         "use require",
	"getfenv":        "environments are not available",
	"setfenv":        "environments are not available",
	"collectgarbage": "the garbage collector looks after itself",
	"gcinfo":         "the garbage collector looks after itself",
	"newproxy":       "newproxy is not available",
}

// undeclared is called for a global that does not exist.
func (vm *VM) undeclared(c call) int {
	key, ok := c.Get(2).(lua.LString)
	if !vm.opts.Strict || !ok {
		return c.ret(lua.LNil)
	}
	name := string(key)
	if why, ok := absent[name]; ok {
		c.fail("%q does not exist here: %s", clip(name), why)
	}
	if near := spell.Nearest(name, vm.declared()); near != "" {
		c.fail("%q is not declared; did you mean %q?", clip(name), near)
	}
	c.fail("%q is not declared", clip(name))
	return 0
}

// setGlobal is called for an assignment to a global that does not exist, or is a word.
func (vm *VM) setGlobal(c call) int {
	t, key, value := c.Get(1), c.Get(2), c.Get(3)
	if g, ok := t.(*lua.LTable); ok && vm.mayAssign(c, key) {
		c.RawSet(g, key, value)
	}
	return 0
}

// mayAssign fails if a global must not be assigned to.
func (vm *VM) mayAssign(c call, key lua.LValue) bool {
	name := clip(display(key))
	if vm.words.RawGet(key) != lua.LNil {
		c.fail("%q is a word of the language and cannot be assigned to", name)
	}
	if vm.opts.Strict {
		c.fail("%q is not declared: write local %s = ... before its first use", name, name)
	}
	return true
}

func display(v lua.LValue) string {
	if convertible(v) {
		return text(v)
	}
	return v.Type().String()
}

// declared lists the words that a source can use.
func (vm *VM) declared() []string {
	var names []string
	vm.words.ForEach(func(k, _ lua.LValue) {
		if s, ok := k.(lua.LString); ok && !hidden(k) {
			names = append(names, string(s))
		}
	})
	return names
}

// hidden reports whether k is the name of a function that only cured code calls.
func hidden(k lua.LValue) bool {
	s, ok := k.(lua.LString)
	return ok && strings.HasPrefix(string(s), "(")
}

// next is the traversal of a table; that of the globals includes the words.
func (vm *VM) next(c call, t *lua.LTable, key lua.LValue) (lua.LValue, lua.LValue) {
	if t != vm.base.G.Global {
		return c.Next(t, key)
	}
	if key == lua.LNil || t.RawGet(key) != lua.LNil {
		if k, v := c.Next(t, key); k != lua.LNil {
			return k, v
		}
		key = lua.LNil
	}
	for {
		k, v := c.Next(vm.words, key)
		if k == lua.LNil || !hidden(k) {
			return k, v
		}
		key = k
	}
}
