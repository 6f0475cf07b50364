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

// threadRegisters calls str or other with each value in use by the functions that run in th, numbers and
// booleans left out, and returns how many there is room for.
func threadRegisters(th *lua.LState, str func(string), other func(lua.LValue)) int {
	registry := reflect.ValueOf(th).Elem().FieldByName("reg").Elem()
	array, top := registry.FieldByName("array"), int(registry.FieldByName("top").Int())
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
