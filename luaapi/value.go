package luaapi

import (
	"fmt"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// value is something that a recipe wrote, and where. Its methods return ok = false after they have
// reported what is wrong with it.
type value struct {
	lua.LValue
	path path
	in   *declaration
}

// fail reports trouble with v.
func (v value) fail(format string, args ...any) {
	if v.in.count() >= maxTroubles {
		v.in.fail(nil, "") // counted, and worded for nobody
		return
	}
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
