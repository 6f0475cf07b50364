package luaapi

import (
	"cmp"
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// list returns the elements of a list without holes. what says what is wanted instead of anything else.
func (v value) list(what string) (elements []value, ok bool) {
	t, ok := v.LValue.(*lua.LTable)
	if !ok {
		v.want(what)
		return nil, false
	}
	var stray []value
	fields := v.fields(t)
	for _, f := range fields {
		if f.key() == len(elements)+1 {
			elements = append(elements, f)
		} else {
			stray = append(stray, f)
		}
	}
	for _, f := range stray {
		ok = false
		if name := keyName(f.key()); name != "" {
			f.unknown("; it is a list")
			continue
		}
		f.fail("the list has a hole before it")
		break
	}
	return elements, ok
}

// maxEntries is how much a table of a declaration may hold. None that a person writes comes near.
const maxEntries = 10_000

// fields returns what a table holds: elements by number, then the rest by name. A key that is neither
// is reported and left out.
func (v value) fields(t *lua.LTable) []value {
	var fields []value
	entries := 0
	t.ForEach(func(k, lv lua.LValue) {
		if entries++; entries > maxEntries {
			if entries == maxEntries+1 {
				v.fail("holds more than %d entries", maxEntries)
			}
			return
		}
		switch k := k.(type) {
		case lua.LNumber:
			if n := int(k); lua.LNumber(n) == k && n > 0 {
				fields = append(fields, v.at(n, lv))
				return
			}
		case lua.LString:
			fields = append(fields, v.at(string(k), lv))
			return
		case *lua.LUserData:
			if h, ok := k.Value.(*handle); ok {
				fields = append(fields, v.at(h, lv))
				return
			}
		}
		v.in.fail(v.path, fmt.Sprintf("%s: %s cannot be a key", cmp.Or(v.path.String(), "the table"), describe(k)))
	})
	slices.SortFunc(fields, func(a, b value) int { return compareKeys(a.key(), b.key()) })
	return fields
}

// key is the last element of the path.
func (v value) key() any { return v.path[len(v.path)-1] }

// unknown reports that v has no business where it is; rest goes on after that.
func (v value) unknown(rest string) {
	message, tail := "unknown key "+quote(keyName(v.key())), ""
	if n, ok := v.key().(int); ok {
		message, tail = fmt.Sprintf("unexpected value number %d", n), ", without a key"
	}
	if p := v.path[:len(v.path)-1].String(); p != "" {
		message += " in " + p
	}
	v.in.fail(v.path, message+tail+rest)
}
