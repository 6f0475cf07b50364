package vm

import lua "github.com/yuin/gopher-lua"

// loadingModule stands for a module whose loading has begun.
var loadingModule = &lua.LUserData{}

// baseRequire returns what the source of a module returns, or true. Each module is run once.
func baseRequire(c call) int {
	vm, name := c.vm, c.str(1)
	switch m := vm.modules[name]; m {
	case nil:
	case loadingModule:
		c.fail("module %q requires itself, directly or through others", clip(name))
	default:
		return c.ret(m)
	}
	if vm.opts.Require == nil {
		c.fail("module %q not found: there are no modules here", clip(name))
	}
	src, chunk, err := vm.opts.Require(name)
	if err != nil {
		vm.Raise(c.LState, 1, err)
	}
	vm.chunks[chunk] = true
	proto, err := Compile(src, chunk)
	if err != nil {
		vm.Raise(c.LState, 0, err)
	}
	vm.modules[name] = loadingModule
	defer func() {
		if vm.modules[name] == loadingModule {
			delete(vm.modules, name) // it failed; a later require tries again
		}
	}()
	c.Push(vm.Load(proto))
	c.Push(lua.LString(name))
	c.Call(1, 1)
	m := c.Get(-1)
	if m == lua.LNil {
		m = lua.LTrue
	}
	vm.modules[name] = m
	return c.ret(m)
}
