package vm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// fails runs src and returns the message of the error that it must end in.
func fails(t *testing.T, vm *VM, src string) string {
	t.Helper()
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, src))
	require.Error(t, err, src)
	return err.Error()
}

func strict(t *testing.T) *VM {
	vm := newVM(t, Options{Strict: true})
	vm.SetGlobal("process", vm.newFunction("process", func(c call) int { return 0 }))
	vm.SetGlobal("profile", vm.State().NewTable())
	return vm
}

func TestStrictGlobals(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"\nproces 'x'", `f.lua:2: "proces" is not declared; did you mean "process"?`},
		{"return procses", `f.lua:1: "procses" is not declared; did you mean "process"?`},
		{"return Profile.x", `f.lua:1: "Profile" is not declared; did you mean "profile"?`},
		{"if nothing_like_it then end", `f.lua:1: "nothing_like_it" is not declared`},
		{"\n\nx = 1", `f.lua:3: "x" is not declared: write local x = ... before its first use`},
		{"function helper() end", `f.lua:1: "helper" is not declared: write local helper = ... before its first use`},
		{"process = nil", `f.lua:1: "process" is a word of the language and cannot be assigned to`},
		{"print = function() end", `f.lua:1: "print" is a word of the language and cannot be assigned to`},
		{"_G.process = 1", `f.lua:1: "process" is a word of the language and cannot be assigned to`},
		{"rawset(_G, 'process', 1)", `f.lua:1: "process" is a word of the language and cannot be assigned to`},
		{"rawset(_G, 'y', 1)", `f.lua:1: "y" is not declared: write local y = ... before its first use`},
		{"_G = {}", `f.lua:1: "_G" is a word of the language and cannot be assigned to`},
		{"return io.open('x')", `f.lua:1: "io" does not exist here: nothing here reads or writes files`},
		{"loadstring('x')", `f.lua:1: "loadstring" does not exist here: code cannot be loaded from strings`},
		{"coroutine.wrap(print)", `f.lua:1: "coroutine" does not exist here: coroutines are not available`},
		{"return require 'x'", `f.lua:1: module "x" not found: there are no modules here`},
	} {
		assert.Equal(t, c.want, fails(t, strict(t), c.src), c.src)
	}
}

// An error of a word that is missing comes when it is used, and can be handled like others.
func TestStrictIsAtRunTime(t *testing.T) {
	vm := strict(t)
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `
if false then undeclared() end
local function later() return undeclared end
return (pcall(later)), rawget(_G, "undeclared"), rawget(_G, "process") == process, type(_G.print)`))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LFalse, lua.LNil, lua.LTrue, lua.LString("function")}, rets)
}

func TestWordsAreProtectedWithoutStrict(t *testing.T) {
	vm := newVM(t, Options{})
	assert.Contains(t, fails(t, vm, "print = nil"), "cannot be assigned to")
	assert.Contains(t, fails(t, vm, "setmetatable(_G, {})"), "cannot change a protected metatable")
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "x = 1 x = x + 1 _G.y = 3 rawset(_G, 'z', 4) return x, y, z, missing"))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LNumber(2), lua.LNumber(3), lua.LNumber(4), lua.LNil}, rets)
}

func TestTraversalOfGlobals(t *testing.T) {
	vm := newVM(t, Options{})
	vm.SetGlobal("word", lua.LTrue)
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `
own = 1
local seen = {}
for k in pairs(_G) do
  if type(k) ~= "string" or k:find("^%(") then error("strange: " .. tostring(k)) end
  if seen[k] then error("twice: " .. k) end
  seen[k] = true
end
return seen.own, seen.word, seen.print, seen._G`))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LTrue, lua.LTrue, lua.LTrue, lua.LTrue}, rets)
}

// What Lua 5.1 has and this has not.
func TestWhatIsAbsent(t *testing.T) {
	vm := newVM(t, Options{})
	for _, name := range []string{
		"io", "debug", "coroutine", "package", "module", "load", "loadstring", "loadfile", "dofile", "getfenv", "setfenv",
		"collectgarbage", "gcinfo", "newproxy", "_printregs", "_GOPHER_LUA_VERSION", "channel", "string.dump", "os.execute",
		"os.exit", "os.remove", "os.rename", "os.setenv", "os.tmpname", "os.setlocale",
	} {
		rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "return "+name))
		require.NoError(t, err)
		assert.Equal(t, lua.LNil, rets[0], name)
	}
}

func TestMetatableOfStrings(t *testing.T) {
	for _, src := range []string{
		"getmetatable('').__index = nil", "getmetatable('').__index.upper = nil return ('x'):upper()", "getmetatable('').__add = print",
		"rawset(getmetatable(''), '__index', {}) return ('x'):upper()",
		"setmetatable('', {})", "setmetatable(getmetatable(''), nil)",
	} {
		vm := newVM(t, Options{})
		_, _ = vm.Call(t.Context(), Limits{Time: long}, load(t, vm, src))
		rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "return ('x'):rep(2) .. ('10' + 1)"))
		require.NoError(t, err, src)
		assert.Equal(t, lua.LString("xx11"), rets[0], src)
	}
}
