package vm

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

func modules(sources map[string]string) Options {
	return Options{Require: func(name string) ([]byte, string, error) {
		src, ok := sources[name]
		if !ok {
			return nil, "", &fs.PathError{Op: "find module", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(src), name + ".lua", nil
	}}
}

func TestRequire(t *testing.T) {
	vm := newVM(t, modules(map[string]string{
		"a":       "runs = (runs or 0) + 1 return { name = ..., b = require 'b' }",
		"b":       "return function() return 'b' end",
		"nothing": "local x = 1",
		"falsy":   "return false",
	}))
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `
local a = require "a"
return a.name, a.b(), require("a") == a, require "b" == a.b, runs, require "nothing", require "falsy"`))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LString("a"), lua.LString("b"), lua.LTrue, lua.LTrue, lua.LNumber(1), lua.LTrue, lua.LFalse}, rets)
}

func TestRequireErrors(t *testing.T) {
	sources := map[string]string{
		"syntax": "\nlocal x = = 1",
		"fails":  "\n\nerror('at load')",
		"loop":   "require 'loop2'",
		"loop2":  "require 'loop'",
		"later":  "return { f = function(x)\n  return x.y.z\nend }",
	}
	vm := newVM(t, modules(sources))
	assert.Equal(t, "f.lua:1: find module missing: file does not exist", fails(t, vm, "require 'missing'"))
	assert.Equal(t, "syntax.lua:2: unexpected '=' after '='", fails(t, vm, "require 'syntax'"))
	assert.Equal(t, "fails.lua:3: at load", fails(t, vm, "\nrequire 'fails'"))
	assert.Equal(t, `loop2.lua:1: module "loop" requires itself, directly or through others`, fails(t, vm, "require 'loop'"))
	assert.Equal(t, "later.lua:2: attempt to index field 'y' (a nil value)", fails(t, vm, "require('later').f({})"))
	assert.Contains(t, fails(t, vm, "require()"), "bad argument #1 to 'require' (string expected, got no value)")

	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "require 'syntax'"))
	var syntax *SyntaxError
	require.True(t, errors.As(err, &syntax))
	assert.Equal(t, 2, syntax.Line)
	_, err = vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "require 'missing'"))
	assert.ErrorIs(t, err, fs.ErrNotExist)

	sources["fails"] = "return 'now it works'"
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "return require 'fails'"))
	require.NoError(t, err, "a module that failed is tried again")
	assert.Equal(t, lua.LString("now it works"), rets[0])
}
