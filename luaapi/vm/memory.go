package vm

import (
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// What values take, in bytes, about.
const (
	slotSize     = 16  // a value in a list or a register
	entrySize    = 110 // a field of a table, with its place in the order of traversal
	tableSize    = 120
	functionSize = 80
	upvalueSize  = 64
	userdataSize = 64
	numberSize   = 8
	stringSize   = 16
	sharedString = 64 // strings of this length and more are counted once
)

// settleAfter is how much the process may allocate during calls before the state is measured again after
// one of them.
const settleAfter = 8 << 20

// grown returns by how much the state has grown since it was settled, or any number above most if it is more
// than that.
func (vm *VM) grown(most uint64) uint64 {
	held := vm.held(vm.settled + most)
	if held < vm.settled {
		return 0
	}
	return held - vm.settled
}

// settle measures the state after a call that may have changed its size.
func (vm *VM) settle() {
	b := vm.budget
	if b.memory == 0 || allocated()-b.begun < settleAfter {
		return
	}
	vm.settled = vm.held(1 << 62)
}

// held returns how many bytes the state holds: everything that Lua code can reach. It stops counting above
// most, or when the call is over.
func (vm *VM) held(most uint64) uint64 {
	m := &measure{most: most, seen: map[uintptr]struct{}{}, budget: vm.budget, running: vm.calling}
	m.add(vm.base.G.Global)
	m.add(vm.words)
	m.add(vm.stringMetatable)
	for _, v := range vm.modules {
		m.add(v)
	}
	for _, th := range vm.running {
		m.registers(th)
	}
	m.run()
	return m.bytes
}

// measure walks the values of a state. It keeps its own list of what is to be visited, since lists that Lua
// code links may be longer than a stack is deep.
type measure struct {
	bytes   uint64
	most    uint64
	seen    map[uintptr]struct{}
	todo    []lua.LValue
	budget  *budget
	running bool
}

func (m *measure) run() {
	for n := 0; len(m.todo) > 0 && m.bytes <= m.most; n++ {
		v := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		switch v := v.(type) {
		case *lua.LTable:
			m.table(v)
		case *lua.LFunction:
			m.function(v)
		case *lua.LUserData:
			m.bytes += userdataSize
			m.add(v.Metatable)
		}
		if n%pollItems == 0 && m.running && m.budget.stopped() != nil {
			return
		}
	}
}

// add counts v, and notes it if it holds others.
func (m *measure) add(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		m.bytes += numberSize
	case lua.LString:
		m.bytes += stringSize
		if len(v) < sharedString || m.first(reflect.ValueOf(string(v)).Pointer()) {
			m.bytes += uint64(len(v))
		}
	case *lua.LTable, *lua.LFunction, *lua.LUserData:
		if m.first(reflect.ValueOf(v).Pointer()) {
			m.todo = append(m.todo, v)
		}
	}
}

// first reports whether what is at address p was not counted yet.
func (m *measure) first(p uintptr) bool {
	if _, ok := m.seen[p]; ok {
		return false
	}
	m.seen[p] = struct{}{}
	return true
}

func (m *measure) table(t *lua.LTable) {
	list, fields := tableRoom(t)
	m.bytes += tableSize + slotSize*uint64(list) + entrySize*uint64(fields)
	m.add(t.Metatable)
	t.ForEach(func(k, v lua.LValue) {
		if _, ok := k.(lua.LNumber); !ok {
			m.add(k)
		}
		m.add(v)
	})
}

func (m *measure) function(f *lua.LFunction) {
	m.bytes += functionSize
	for _, u := range f.Upvalues {
		if u != nil && m.first(reflect.ValueOf(u).Pointer()) {
			m.bytes += upvalueSize
			m.add(u.Value())
		}
	}
}

// registers counts the values in use by the functions that run in th. Some of them, such as the arguments of
// a function with a variable number, are nowhere else.
func (m *measure) registers(th *lua.LState) {
	room := threadRegisters(th, func(s string) {
		m.bytes += stringSize
		if len(s) < sharedString || m.first(reflect.ValueOf(s).Pointer()) {
			m.bytes += uint64(len(s))
		}
	}, m.add)
	m.bytes += slotSize * uint64(room)
}
