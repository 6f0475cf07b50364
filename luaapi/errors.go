package luaapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong with a recipe.
type Error struct {
	File    string // as it is shown: relative to Errors.Dir, with slashes
	Line    int    // 0 where none can be named
	Column  int    // 0 where none is known
	Message string // of a runtime error the traceback follows on further lines
}

// Error implements error, such as `prochost.lua:12: process "api": unknown key "comand"`.
func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	for _, n := range []int{e.Line, e.Column} {
		if n > 0 {
			fmt.Fprintf(&b, ":%d", n)
		}
	}
	b.WriteString(": ")
	b.WriteString(e.Message)
	return b.String()
}

// Errors is everything that is wrong with a recipe, sorted by file (the entry recipe first) and line.
type Errors struct {
	Dir  string // of the entry recipe, absolute
	List []Error
	More int // how many are left out, for a list is at most maxErrors long
}

const maxErrors = 100

// Error implements error: one line for each, or more where a traceback follows.
func (e *Errors) Error() string {
	lines := make([]string, 0, len(e.List)+1)
	for _, one := range e.List {
		lines = append(lines, one.Error())
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(lines, "\n")
}

// newErrors sorts list, drops repetitions and bounds it. entry is the entry recipe as it is shown.
func newErrors(dir, entry string, list []Error) *Errors {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Error) int {
		return cmp.Or(
			-compareBool(a.File == entry, b.File == entry),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	list = slices.Compact(list)
	e := &Errors{Dir: dir, List: list}
	if len(list) > maxErrors {
		e.List, e.More = list[:maxErrors], len(list)-maxErrors
	}
	return e
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
