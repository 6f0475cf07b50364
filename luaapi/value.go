package luaapi

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	lua "github.com/yuin/gopher-lua"
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

// value is something that a recipe wrote, and where. Its methods return ok = false after they have
// reported what is wrong with it.
type value struct {
	lua.LValue
	path path
	in   *declaration
}

// fail reports trouble with v.
func (v value) fail(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if p := v.path.String(); p != "" {
		message = p + ": " + message
	}
	v.in.fail(v.path, message)
}

// at returns the value under key in the table v.
func (v value) at(key any, lv lua.LValue) value {
	return value{lv, append(v.path[:len(v.path):len(v.path)], key), v.in}
}

// get returns what the table v has under key, which may be absent.
func (v value) get(key string) value {
	if t, ok := v.LValue.(*lua.LTable); ok {
		return v.at(key, t.RawGetString(key))
	}
	return v.at(key, lua.LNil)
}

func (v value) isTable() bool {
	_, ok := v.LValue.(*lua.LTable)
	return ok
}

// absent reports whether nothing was written.
func (v value) absent() bool { return v.LValue == nil || v.LValue == lua.LNil }

func (v value) want(what string) { v.fail("want %s, got %s", what, describe(v.LValue)) }

// describe names the type of a value as a message does.
func describe(lv lua.LValue) string {
	switch lv := lv.(type) {
	case *lua.LNilType:
		return "nothing"
	case lua.LNumber:
		return "the number " + lv.String()
	case lua.LBool:
		return lv.String()
	case *lua.LUserData:
		if _, ok := lv.Value.(*handle); ok {
			return "a process"
		}
		return "an object"
	}
	return "a " + lv.Type().String()
}

// str returns a string without NUL bytes, which nothing that a process is given may hold.
func (v value) str() (s string, ok bool) {
	ls, ok := v.LValue.(lua.LString)
	switch {
	case !ok:
		v.want("a string")
		return "", false
	case strings.Contains(string(ls), "\x00"):
		v.fail("a NUL byte cannot be passed on")
		return "", false
	}
	return string(ls), true
}

// text is str, and not only white space.
func (v value) text() (s string, ok bool) {
	if s, ok = v.str(); ok && strings.TrimSpace(s) == "" {
		v.fail("is blank")
		return "", false
	}
	return s, ok
}

func (v value) boolean() (b, ok bool) {
	lb, ok := v.LValue.(lua.LBool)
	if !ok {
		v.want("true or false")
	}
	return bool(lb), ok
}

// integer returns a whole number from low to high.
func (v value) integer(low, high int) (n int, ok bool) {
	f, ok := v.LValue.(lua.LNumber)
	if !ok || float64(f) != math.Trunc(float64(f)) || float64(f) < float64(low) || float64(f) > float64(high) {
		v.want(fmt.Sprintf("a whole number from %d to %d", low, high))
		return 0, false
	}
	return int(f), true
}

// word returns the index of v in words.
func (v value) word(words ...string) (i int, ok bool) {
	s, isString := v.LValue.(lua.LString)
	if !isString {
		v.want(quoteList(words))
		return 0, false
	}
	for i, w := range words {
		if string(s) == w {
			return i, true
		}
	}
	v.fail("want %s, got %s%s", quoteList(words), quote(string(s)), didYouMean(string(s), words))
	return 0, false
}

// duration returns a time of at least least.
func (v value) duration(least time.Duration) (d time.Duration, ok bool) {
	if n, isNumber := v.LValue.(lua.LNumber); isNumber {
		v.fail(`durations are strings such as "5s", got the number %s`, n)
		return 0, false
	}
	s, ok := v.LValue.(lua.LString)
	if !ok {
		v.want(`a duration such as "5s"`)
		return 0, false
	}
	d, err := time.ParseDuration(string(s))
	switch {
	case err != nil:
		v.fail(`want a duration such as "300ms", "5s" or "2m", got %s`, quote(string(s)))
		return 0, false
	case d < least:
		v.fail("want at least %s, got %s", least, quote(string(s)))
		return 0, false
	}
	return d, true
}

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

// fields returns what a table holds: elements by number, then the rest by name. A key that is neither
// is reported and left out.
func (v value) fields(t *lua.LTable) []value {
	var fields []value
	t.ForEach(func(k, lv lua.LValue) {
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
	message := "unknown key " + quote(keyName(v.key()))
	if n, ok := v.key().(int); ok {
		message = fmt.Sprintf("unexpected value number %d, without a key", n)
	}
	if p := v.path[:len(v.path)-1].String(); p != "" {
		message += " in " + p
	}
	v.in.fail(v.path, message+rest)
}

// formatNumber writes a number as a person would: 8080, not 8080.0 or 8.08e3.
func formatNumber(n lua.LNumber) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
