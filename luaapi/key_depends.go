package luaapi

import (
	"github.com/prochost/prochost/luaapi/recipe"
	lua "github.com/yuin/gopher-lua"
)

// dependency is one as it was read; whether what it names exists is known at the end of the load only.
type dependency struct {
	recipe.Dependency
	at value
}

var conditionWords = []string{"started", "ready", "success", "exit"}

// readDepends takes a table from names or handles to conditions, a list of names or handles, or both in
// one.
func readDepends(v value) (all []dependency) {
	t, ok := v.LValue.(*lua.LTable)
	if !ok {
		v.want(`a table such as { db = "ready" } or { "db" }`)
		return nil
	}
	fields := v.fields(t)
	if len(fields) > MaxProcesses {
		v.fail("names more than the %d processes that there may be", MaxProcesses)
		return nil
	}
	seen := map[string]bool{}
	for _, f := range fields {
		name, condition := keyName(f.key()), recipe.OnStarted
		if _, listed := f.key().(int); listed {
			if name, ok = processName(f); !ok {
				continue
			}
		} else {
			i, ok := f.word(conditionWords...)
			if !ok {
				continue
			}
			condition = recipe.Condition(i)
		}
		if seen[name] {
			f.fail("%s is named twice", quote(name))
			continue
		}
		seen[name] = true
		all = append(all, dependency{recipe.Dependency{Name: name, Condition: condition}, f})
	}
	return all
}

// processName takes a name, or what process returned.
func processName(v value) (name string, ok bool) {
	switch lv := v.LValue.(type) {
	case lua.LString:
		return string(lv), true
	case *lua.LUserData:
		if h, ok := lv.Value.(*handle); ok {
			return h.name, true
		}
	}
	v.want("the name of a process")
	return "", false
}
