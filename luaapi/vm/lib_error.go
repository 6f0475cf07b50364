package vm

import lua "github.com/yuin/gopher-lua"

func baseError(c call) int {
	v, level := c.Get(1), c.optInt(2, 1)
	if convertible(v) && level > 0 {
		v = lua.LString(c.vm.where(c.LState, level) + text(v))
	}
	c.vm.throw(c.LState, v)
	return 0
}

// protected runs fn. A call that is over ends here too: no pcall catches that.
func (c call) protected(fn lua.LValue, args []lua.LValue) ([]lua.LValue, *fault) {
	rets, f := c.vm.protect(fn, args)
	if f != nil && f.stop != nil {
		panic(f)
	}
	return rets, f
}

func (c call) arguments(from int) []lua.LValue {
	args := make([]lua.LValue, 0, max(c.GetTop()-from+1, 0))
	for i := from; i <= c.GetTop(); i++ {
		args = append(args, c.Get(i))
	}
	return args
}

func basePcall(c call) int {
	fn := c.any(1)
	rets, f := c.protected(fn, c.arguments(2))
	if f != nil {
		return c.ret(lua.LFalse, f.value)
	}
	c.Push(lua.LTrue)
	return 1 + c.ret(rets...)
}

// maxHandlers is how often an error handler is called for the errors that it raises itself.
const maxHandlers = 10

func baseXpcall(c call) int {
	fn, handler := c.any(1), c.any(2)
	rets, f := c.protected(fn, nil)
	if f == nil {
		c.Push(lua.LTrue)
		return 1 + c.ret(rets...)
	}
	for range maxHandlers {
		rets, f = c.protected(handler, []lua.LValue{f.value})
		if f == nil {
			if len(rets) == 0 {
				rets = []lua.LValue{lua.LNil}
			}
			return c.ret(lua.LFalse, rets[0])
		}
	}
	return c.ret(lua.LFalse, lua.LString("error in error handling"))
}
