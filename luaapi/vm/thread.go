package vm

import (
	"fmt"
	"runtime/debug"

	lua "github.com/yuin/gopher-lua"
)

// maxThreads bounds how deep protected calls may nest, as the C stack does in Lua 5.1.
const maxThreads = 100

// maxIdle is how many threads are kept for later calls.
const maxIdle = 8

// fault is what ended a protected call.
type fault struct {
	value lua.LValue
	stop  error // the call as a whole is over; no pcall may catch this
	trace []Frame
	stack []byte // of a panic of Go code
}

// Every protected call runs in a thread of its own. A raised error closes all variables of its thread that
// functions captured (#448), which is right only if the whole thread is given up. A thread that ends
// without an error is used again.

// protect calls fn and returns what it returns, or what went wrong.
func (vm *VM) protect(fn lua.LValue, args []lua.LValue) (rets []lua.LValue, f *fault) {
	if len(vm.running) >= maxThreads {
		return nil, &fault{value: lua.LString("stack overflow")}
	}
	th := vm.acquire()
	depth := len(vm.running)
	vm.running = append(vm.running, th)
	defer func() {
		if r := recover(); r != nil {
			rets, f = nil, vm.faultOf(r)
		}
		vm.running[depth] = nil
		vm.running = vm.running[:depth]
		if f == nil && len(vm.idle) < maxIdle {
			vm.idle = append(vm.idle, th)
		}
	}()
	th.Push(fn)
	for _, a := range args {
		th.Push(a)
	}
	th.Call(len(args), lua.MultRet)
	n := th.GetTop()
	rets = make([]lua.LValue, n)
	for i := range rets {
		rets[i] = th.Get(i + 1)
	}
	th.SetTop(0)
	return rets, nil
}

func (vm *VM) acquire() *lua.LState {
	if n := len(vm.idle); n > 0 {
		th := vm.idle[n-1]
		vm.idle[n-1] = nil
		vm.idle = vm.idle[:n-1]
		return th
	}
	th, _ := vm.base.NewThread()
	th.SetContext(vm.budget)
	th.Panic = vm.onError
	return th
}

// onError is called by the interpreter with the value of an error on top of the stack, which is intact.
func (vm *VM) onError(L *lua.LState) {
	f := &fault{value: L.Get(-1)}
	if vm.budget.spent() {
		f.value, f.stop = nil, vm.budget.stopped()
	}
	if !vm.ours && f.stop == nil {
		if s, ok := f.value.(lua.LString); ok {
			f.value = lua.LString(vm.reword(L, string(s)))
		}
	}
	vm.ours = false
	if len(vm.running) == 1 || f.stop != nil {
		f.trace = vm.traceback()
	}
	panic(f)
}

// faultOf makes a fault of what was recovered.
func (vm *VM) faultOf(r any) *fault {
	vm.ours = false
	f, ok := r.(*fault)
	if !ok {
		// An error of Lua like any other, so that a bug in a function given to Lua costs that call and not
		// the process.
		f = &fault{value: lua.LString(fmt.Sprintf("panic: %v", r)), stack: debug.Stack()}
	}
	// A Go function may have noticed nothing, or another error may have come between.
	if f.stop == nil {
		if err := vm.budget.stopped(); err != nil {
			f.value, f.stop = nil, err
		}
	}
	return f
}

// throw raises v as it is. It does not return.
func (vm *VM) throw(L *lua.LState, v lua.LValue) {
	vm.ours = true
	L.Error(v, 0)
}

// checkSpent ends a Go loop of a call that is over. It does not return then.
func (vm *VM) checkSpent(L *lua.LState) {
	if vm.budget.spent() {
		vm.throw(L, lua.LString("stopped"))
	}
}
