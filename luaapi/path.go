package luaapi

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// path leads from the table of a declaration to a value in it. Its elements are strings, ints that count
// from 1, and handles.
type path []any

// String writes the path as Lua does: notify.logMatches[2].pattern.
func (p path) String() string {
	var b strings.Builder
	for i, key := range p {
		n, listed := key.(int)
		switch name := keyName(key); {
		case listed:
			fmt.Fprintf(&b, "[%d]", n)
		case !isIdentifier(name):
			fmt.Fprintf(&b, "[%s]", quote(name))
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// keyName returns the name in an element of a path, "" for a number.
func keyName(key any) string {
	switch key := key.(type) {
	case string:
		return key
	case *handle:
		return key.name
	}
	return ""
}

// compareKeys puts numbers in order before names in order.
func compareKeys(a, b any) int {
	i, _ := a.(int)
	j, _ := b.(int)
	switch {
	case i > 0 && j > 0:
		return cmp.Compare(i, j)
	case i > 0 || j > 0:
		return cmp.Compare(j, i)
	}
	return cmp.Compare(keyName(a), keyName(b))
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && (r >= unicode.MaxASCII || !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r))) {
			return false
		}
	}
	return s != "" && len(s) <= 60
}
