package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// newMatcher returns a matcher whose faults are errors of c.
func (c call) newMatcher(src, pat string) *matcher {
	m := &matcher{
		fail:       func(message string) { c.fail("%s", message) },
		tooComplex: func() { c.vm.Raise(c.LState, 1, ErrPattern) },
		poll:       func() { c.vm.checkSpent(c.LState) },
	}
	m.init(src, pat)
	return m
}

// capture returns capture i of a match from start to end. Without any, the whole match is the first.
func (m *matcher) capture(i, start, end int) lua.LValue {
	if i >= len(m.captures) {
		if i > 0 {
			m.fail("invalid capture index")
		}
		return lua.LString(m.src[start:end])
	}
	switch c := m.captures[i]; c.length {
	case captureOpen:
		m.fail("unfinished capture")
		return nil
	case capturePosition:
		return lua.LNumber(c.start + 1)
	default:
		return lua.LString(m.src[c.start : c.start+c.length])
	}
}

// pushCaptures pushes all captures; whole says that without any, the match itself is pushed.
func (c call) pushCaptures(m *matcher, start, end int, whole bool) int {
	n := len(m.captures)
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		c.Push(m.capture(i, start, end))
	}
	return n
}

func stringFind(c call) int  { return find(c, true) }
func stringMatch(c call) int { return find(c, false) }

func find(c call, positions bool) int {
	s, p := c.str(1), c.str(2)
	init := max(relative(c.optInt(3, 1), len(s))-1, 0)
	init = min(init, len(s))
	if positions && (lua.LVAsBool(c.Get(4)) || !strings.ContainsAny(p, "^$*+?.([%-")) {
		i := strings.Index(s[init:], p)
		if i < 0 {
			return c.ret(lua.LNil)
		}
		return c.ret(lua.LNumber(init+i+1), lua.LNumber(init+i+len(p)))
	}
	anchored := strings.HasPrefix(p, "^")
	m := c.newMatcher(s, strings.TrimPrefix(p, "^"))
	for ; init <= len(s); init++ {
		m.reset()
		if end := m.match(init, 0); end >= 0 {
			if positions {
				c.ret(lua.LNumber(init+1), lua.LNumber(end))
				return 2 + c.pushCaptures(m, init, end, false)
			}
			return c.pushCaptures(m, init, end, true)
		}
		if anchored {
			break
		}
	}
	return c.ret(lua.LNil)
}

func stringGmatch(c call) int {
	s, p := c.str(1), c.str(2)
	at := 0
	return c.ret(c.vm.newFunction("gmatch_aux", func(c call) int {
		m := c.newMatcher(s, p)
		for ; at <= len(s); at++ {
			m.reset()
			end := m.match(at, 0)
			if end < 0 {
				continue
			}
			start := at
			if at = end; end == start {
				at++
			}
			return c.pushCaptures(m, start, end, true)
		}
		return 0
	}))
}

func stringGsub(c call) int {
	s, p := c.str(1), c.str(2)
	repl := c.Get(3)
	switch repl.(type) {
	case lua.LString, lua.LNumber, *lua.LTable, *lua.LFunction:
	default:
		c.badArg(3, "string/function/table expected")
	}
	most := c.optInt(4, len(s)+1)
	anchored := strings.HasPrefix(p, "^")
	m := c.newMatcher(s, strings.TrimPrefix(p, "^"))
	var b strings.Builder
	n, at := 0, 0
	for n < most {
		m.reset()
		end := m.match(at, 0)
		if end >= 0 {
			n++
			c.replace(&b, m, repl, at, end)
			c.tooLong(b.Len())
		}
		if end > at {
			at = end
		} else if at < len(s) {
			b.WriteByte(s[at])
			at++
		} else {
			break
		}
		if anchored {
			break
		}
	}
	if at < len(s) {
		b.WriteString(s[at:])
	}
	c.tooLong(b.Len())
	return c.retString(b.String()) + c.ret(lua.LNumber(n))
}

// replace appends what stands for the match from start to end.
func (c call) replace(b *strings.Builder, m *matcher, repl lua.LValue, start, end int) {
	var v lua.LValue
	switch r := repl.(type) {
	case *lua.LTable:
		v = c.GetTable(r, m.capture(0, start, end))
	case *lua.LFunction:
		c.Push(r)
		c.Call(c.pushCaptures(m, start, end, true), 1)
		v = c.Get(-1)
		c.Pop(1)
	default:
		m.expand(b, text(repl), start, end)
		return
	}
	switch {
	case !lua.LVAsBool(v):
		b.WriteString(m.src[start:end])
	case convertible(v):
		b.WriteString(text(v))
	default:
		c.fail("invalid replacement value (a %s)", v.Type())
	}
}

// expand appends a replacement string, in which %0 to %9 stand for captures.
func (m *matcher) expand(b *strings.Builder, repl string, start, end int) {
	for i := 0; i < len(repl); i++ {
		if repl[i] != '%' {
			b.WriteByte(repl[i])
			continue
		}
		i++
		switch {
		case i >= len(repl):
			b.WriteByte(0)
		case !isDigit(repl[i]):
			b.WriteByte(repl[i])
		case repl[i] == '0':
			b.WriteString(m.src[start:end])
		default:
			b.WriteString(text(m.capture(int(repl[i]-'1'), start, end)))
		}
		if b.Len() > MaxString {
			return // the caller fails
		}
	}
}
