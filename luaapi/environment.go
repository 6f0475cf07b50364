package luaapi

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// variables are changes of an environment. A nil value removes the variable.
type variables map[string]*string

// readVariables takes a table from names to strings, numbers or false.
func readVariables(v value) variables {
	t, ok := v.LValue.(*lua.LTable)
	if !ok {
		v.want(`a table such as { PORT = "8080" }`)
		return nil
	}
	vars := variables{}
	for _, f := range v.fields(t) {
		name, _ := f.key().(string)
		if _, listed := f.key().(int); listed {
			f.unknown(`; variables are written NAME = "value"`)
			continue
		}
		if name == "" || strings.ContainsAny(name, "=\x00") {
			f.fail("cannot be the name of a variable")
			continue
		}
		switch lv := f.LValue.(type) {
		case lua.LNumber:
			if n := float64(lv); !math.IsNaN(n) && !math.IsInf(n, 0) {
				text := formatNumber(n)
				vars[name] = &text
				continue
			}
		case lua.LBool:
			if !bool(lv) {
				vars[name] = nil
				continue
			}
		case lua.LString:
			if s, ok := f.str(); ok {
				vars[name] = &s
			}
			continue
		}
		f.want("a string, a number or false")
	}
	return vars
}

// formatNumber writes a number as a person would: 8080, not 8080.0 or 8.08e3.
func formatNumber(n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1e15 {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

// overlay returns base changed by layers in turn; base is left as it is.
func (base variables) overlay(layers ...variables) variables {
	all := variables{}
	for _, layer := range append([]variables{base}, layers...) {
		maps.Copy(all, layer)
	}
	return all
}

// list returns "KEY=value" for what is set, sorted.
func (vars variables) list() []string {
	list := []string{}
	for name, text := range vars {
		if text != nil {
			list = append(list, name+"="+*text)
		}
	}
	slices.Sort(list)
	return list
}

// size is how many bytes the list takes.
func (vars variables) size() (n int) {
	for name, text := range vars {
		if text != nil {
			n += len(name) + len(*text) + 2 // the equals sign and the NUL byte
		}
	}
	return n
}

// lookup returns the value of a variable that is set.
func (vars variables) lookup(name string) (text string, ok bool) {
	if p := vars[name]; p != nil {
		return *p, true
	}
	return "", false
}

// inherited reads an environment; of a name that is given twice the last counts.
func inherited(env []string) variables {
	vars := variables{}
	for _, entry := range env {
		if name, text, ok := strings.Cut(entry, "="); ok && name != "" {
			vars[name] = &text
		}
	}
	return vars
}
