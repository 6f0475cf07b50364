package vm

import (
	"math"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// This file looks at fields of gopher-lua v1.1.2 that are not exported. It only reads. A test holds it against
// the version in use.

var tableFields = func() (f struct{ array, keys, k2i int }) {
	t := reflect.TypeFor[lua.LTable]()
	f.array, f.keys, f.k2i = fieldIndex(t, "array"), fieldIndex(t, "keys"), fieldIndex(t, "k2i")
	return f
}()

func fieldIndex(t reflect.Type, name string) int {
	f, ok := t.FieldByName(name)
	if !ok {
		panic("vm: this version of gopher-lua has no " + t.String() + "." + name)
	}
	return f.Index[0]
}

// tableRoom returns how many list items and fields a table has room for. Fields that were set to nil keep
// theirs.
func tableRoom(t *lua.LTable) (list, fields int) {
	v := reflect.ValueOf(t).Elem()
	return v.Field(tableFields.array).Cap(), v.Field(tableFields.keys).Len()
}

// knowsKey reports whether a key is or was in a table. A traversal may set fields to nil and go on.
func knowsKey(t *lua.LTable, key lua.LValue) bool {
	v := reflect.ValueOf(t).Elem()
	if n, ok := key.(lua.LNumber); ok && n == lua.LNumber(math.Trunc(float64(n))) && n >= 1 && n <= lua.LNumber(v.Field(tableFields.array).Len()) {
		return true
	}
	return v.Field(tableFields.k2i).MapIndex(reflect.ValueOf(key)).IsValid()
}

// frame is a function that runs in a thread.
type frame struct{ v reflect.Value }

var frameFields = func() (f struct{ fn, parent, pc, base, tailCall int }) {
	t := reflect.TypeFor[lua.Debug]()
	t = t.Field(fieldIndex(t, "frame")).Type.Elem()
	f.fn, f.parent = fieldIndex(t, "Fn"), fieldIndex(t, "Parent")
	f.pc, f.base, f.tailCall = fieldIndex(t, "Pc"), fieldIndex(t, "LocalBase"), fieldIndex(t, "TailCall")
	return f
}()

// innermost returns the frame of the function that runs in th; ok is false if none does.
func innermost(th *lua.LState) (f frame, ok bool) {
	dbg, ok := th.GetStack(0)
	if !ok {
		return frame{}, false
	}
	return frame{reflect.ValueOf(dbg).Elem().FieldByName("frame").Elem()}, true
}

// parent returns the frame that called f.
func (f frame) parent() (p frame, ok bool) {
	v := f.v.Field(frameFields.parent)
	return frame{v.Elem()}, !v.IsNil()
}

// tailCalls is how many functions called the next in place of themselves and left no frame.
func (f frame) tailCalls() int { return int(f.v.Field(frameFields.tailCall).Int()) }

func (f frame) function() *lua.LFunction {
	return (*lua.LFunction)(f.v.Field(frameFields.fn).UnsafePointer())
}

// pc is the index of the instruction that f executes.
func (f frame) pc() int { return int(f.v.Field(frameFields.pc).Int()) - 1 }

// typeOf returns the type of the value in a register of f, which runs in th.
func (f frame) typeOf(th *lua.LState, register int) string {
	array, _ := registers(th)
	i := register + int(f.v.Field(frameFields.base).Int())
	if i >= array.Len() {
		return "nil"
	}
	switch v := array.Index(i).Elem(); {
	case !v.IsValid():
		return "nil"
	case v.Type() == reflect.TypeFor[lua.LString]():
		return "string"
	case v.Type() == reflect.TypeFor[lua.LNumber]():
		return "number"
	case v.Type() == reflect.TypeFor[lua.LBool]():
		return "boolean"
	case v.Type() == reflect.TypeFor[*lua.LTable]():
		return "table"
	case v.Type() == reflect.TypeFor[*lua.LFunction]():
		return "function"
	case v.Type() == reflect.TypeFor[*lua.LUserData]():
		return "userdata"
	}
	return "nil"
}

// registers returns the registers of a thread, and how many of them are in use.
func registers(th *lua.LState) (array reflect.Value, top int) {
	registry := reflect.ValueOf(th).Elem().FieldByName("reg").Elem()
	return registry.FieldByName("array"), int(registry.FieldByName("top").Int())
}

// threadRegisters calls str or other with each value in use by the functions that run in th, numbers and
// booleans left out, and returns how many there is room for.
func threadRegisters(th *lua.LState, str func(string), other func(lua.LValue)) int {
	array, top := registers(th)
	for i := range min(top, array.Len()) {
		v := array.Index(i).Elem()
		if !v.IsValid() {
			continue
		}
		switch v.Type() {
		case reflect.TypeFor[lua.LString]():
			str(v.String())
		case reflect.TypeFor[*lua.LTable]():
			other((*lua.LTable)(v.UnsafePointer()))
		case reflect.TypeFor[*lua.LFunction]():
			other((*lua.LFunction)(v.UnsafePointer()))
		case reflect.TypeFor[*lua.LUserData]():
			other((*lua.LUserData)(v.UnsafePointer()))
		}
	}
	return array.Cap()
}
