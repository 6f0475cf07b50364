package vm

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// This file finds words for what is wrong. Everything in it panics with a *SyntaxError, or returns if it
// finds nothing wrong.

// atEnd fails where the source ends too early: with what was left open, innermost first.
func (p *parser) atEnd() {
	var b strings.Builder
	b.WriteString("the file ends too early")
	if n := len(p.open); n > 0 {
		o := p.open[n-1]
		fmt.Fprintf(&b, ": '%s' of line %d is not closed, '%s' is missing", o.what, o.line, o.closer)
		if n > 1 {
			fmt.Fprintf(&b, " (inside '%s' of line %d)", p.open[n-2].what, p.open[n-2].line)
		}
		if o.closer == tEnd && p.elseIf > 0 {
			fmt.Fprintf(&b, "; 'else if' on line %d opens an 'if' of its own, perhaps 'elseif' is meant", p.elseIf)
		}
	} else {
		fmt.Fprintf(&b, " after %s", p.prev)
	}
	last := p.prev.line // the line of the last token, not the empty ones after it
	if last == 0 {
		last = p.tok.line
	}
	p.lx.fail(last, 0, b.String())
}

// unclosed fails where o should end and something else stands.
func (p *parser) unclosed(o opening) {
	p.operatorSlip()
	if p.tok.kind == tEOF {
		p.atEnd()
	}
	at := ""
	if o.line != p.tok.line {
		at = fmt.Sprintf(" of line %d", o.line)
	}
	if o.closer == tEnd && p.tok.kind != tEOF {
		p.failAt(p.tok, "'end' is missing to close '%s'%s: found %s", o.what, at, p.tok)
	}
	if o.closer == tUntil {
		p.failAt(p.tok, "'until' is missing to close 'repeat'%s: found %s", at, p.tok)
	}
	if o.what == "(" && startsValue(p.tok.kind) {
		p.failAt(p.tok, "',' or ')' is missing before %s ('(' was opened%s)", p.tok, orHere(at))
	}
	p.failAt(p.tok, "'%s' is missing to close '%s'%s: found %s", o.closer, o.what, at, p.tok)
}

func orHere(at string) string {
	if at == "" {
		return " on this line"
	}
	return " on" + strings.TrimPrefix(at, " of")
}

// missing fails where k should stand.
func (p *parser) missing(k kind, where string) {
	p.operatorSlip()
	if p.tok.kind == tEOF {
		p.atEnd()
	}
	what := "'" + k.String() + "'"
	if k == tName {
		what = "a name"
	}
	if p.tok.kind == tAssign && (k == tThen || k == tDo) {
		p.failAt(p.tok, "'=' assigns; to compare, write '=='")
	}
	p.failAt(p.tok, "%s is missing %s: found %s", what, where, p.tok)
}

// operatorSlip fails where an operator of another language was written.
func (p *parser) operatorSlip() {
	if p.tok.kind == tAssign {
		switch p.prev.kind {
		case tPlus, tMinus, tStar, tSlash, tPercent, tConcat:
			op := p.prev.kind
			p.failAt(p.prev, "Lua has no '%s=': write the variable again, as in x = x %s 1", op, op)
		}
	}
	if p.tok.kind == tPlus && p.prev.kind == tPlus {
		p.failAt(p.prev, "Lua has no '++': write x = x + 1")
	}
	if p.tok.kind == tSlash && p.prev.kind == tSlash {
		p.failAt(p.prev, "'//' does not begin a comment: Lua writes '--'")
	}
	if p.tok.kind == tStar && p.prev.kind == tSlash {
		p.failAt(p.prev, "'/*' does not begin a comment: Lua writes '--' or '--[[ ]]'")
	}
}

// unexpected fails where an expression or a statement should begin.
func (p *parser) unexpected() {
	p.operatorSlip()
	t := p.tok
	switch {
	case t.kind == tEOF:
		p.atEnd()
	case t.kind == tHash:
		p.failAt(t, "'#' gives a length and cannot begin a statement: a comment begins with '--'")
	case t.kind == tSlash && p.peek().kind == tSlash, t.kind == tSlash && p.peek().kind == tStar:
		p.failAt(t, "'/%s' does not begin a comment: Lua writes '--'", p.peek().kind)
	case t.kind.reserved() && p.peek().kind == tAssign:
		p.failAt(t, "'%s' is a reserved word of Lua and cannot be a variable", t.kind)
	case p.prev.kind == tAssign && t.kind == tAssign:
		p.failAt(t, "unexpected '=' after '='")
	}
	if len(p.open) > 0 {
		o := p.open[len(p.open)-1]
		if o.closer == tEnd || o.closer == tUntil {
			p.wrongCloser()
		} else if p.blockEnds() {
			p.unclosed(o)
		}
	}
	p.failAt(t, "unexpected %s%s", t, p.after())
}

func (p *parser) after() string {
	if p.prev.line == 0 {
		return ""
	}
	return fmt.Sprintf(" after %s", p.prev)
}

// wrongCloser fails where a bracket is closed but a block was opened after it.
func (p *parser) wrongCloser() {
	switch p.tok.kind {
	case tRparen, tRbrace, tRbracket:
		if n := len(p.open); n > 0 {
			p.unclosed(p.open[n-1])
		}
	}
}

// strayCloser fails at a token that ends a block where none is open.
func (p *parser) strayCloser() {
	p.failAt(p.tok, "unexpected '%s': nothing is open here, perhaps there is one '%s' too many above", p.tok.kind, p.tok.kind)
}

// notStatement fails at an expression that stands where a statement should.
func (p *parser) notStatement(t token, e ast.Expr) {
	p.operatorSlip()
	id, isName := e.(*ast.IdentExpr)
	next := p.tok
	switch {
	case isName && id.Value == "continue":
		p.failAt(t, "Lua has no 'continue': put the rest of the loop into an 'if'")
	case isName && (id.Value == "goto" || id.Value == "import" || id.Value == "var" || id.Value == "let" || id.Value == "const") && next.kind == tName:
		hint := map[string]string{"goto": "Lua 5.1 has no 'goto'", "import": "Lua has no 'import': write local x = require \"name\""}[id.Value]
		if hint == "" {
			hint = fmt.Sprintf("Lua has no '%s': a variable is declared with 'local'", id.Value)
		}
		p.failAt(t, "%s", hint)
	case next.kind == tColon && p.peek().kind == tColon:
		p.failAt(next, "Lua 5.1 has no labels")
	case next.kind == tPlus && p.peek().kind == tPlus, next.kind == tMinus && p.peek().kind == tAssign,
		next.kind != tEOF && p.peek().kind == tAssign:
		p.next()
		p.operatorSlip()
	case next.kind == tEq:
		p.failAt(next, "'==' compares; to assign, write '='")
	case next.kind == tEOF && len(p.open) > 0:
		p.atEnd()
	}
	p.failAt(t, "%s alone is not a statement: a call needs '(', an assignment '='", t)
}

// startsValue reports whether a token can begin an expression, and so the next field of a table.
func startsValue(k kind) bool {
	switch k {
	case tName, tString, tNumber, tLbrace, tLbracket, tLparen, tFunction, tNil, tTrue, tFalse, tNot, tHash, tDots:
		return true
	}
	return false
}

// fieldEnds fails where a table field is followed by neither a separator nor the end of the table.
func (p *parser) fieldEnds() {
	t := p.tok
	switch {
	case t.kind == tRbrace:
		return
	case t.kind == tColon:
		p.failAt(t, "a table field is written name = value, not name: value")
	case t.kind == tAssign && p.prev.kind == tString:
		p.failAt(p.prev, "a key that is a string is written in brackets: [%q] = ...", p.prev.text)
	case t.kind == tAssign:
		p.failAt(t, "unexpected '=' in a table: a key is a name, or an expression in brackets as in [1] = ...")
	case startsValue(t.kind) || t.kind.reserved() && p.peek().kind == tAssign:
		where := ""
		if p.prev.line != t.line {
			where = fmt.Sprintf(" (before %s of line %d)", t, t.line)
			p.lx.fail(p.prev.line, 0, fmt.Sprintf("',' is missing after %s, between two fields of a table%s", p.prev, where))
		}
		p.failAt(t, "',' is missing between two fields of a table: found %s after %s", t, p.prev)
	}
}

// near are keys that stand in for reserved words.
var near = map[kind]string{tRepeat: "repeats"}

// badKey fails where a table field begins with something that cannot be its key.
func (p *parser) badKey() {
	t := p.tok
	if t.kind.reserved() && p.peek().kind == tAssign {
		if s, ok := near[t.kind]; ok {
			p.failAt(t, `"%s" is a reserved word of Lua and cannot be a key: write %s = ... (or ["%s"] = ...)`, t.kind, s, t.kind)
		}
		p.failAt(t, `"%s" is a reserved word of Lua and cannot be a key: write ["%s"] = ...`, t.kind, t.kind)
	}
	if (t.kind == tName || t.kind == tString) && p.peek().kind == tColon {
		// name:method() is a value; name: value is a slip.
		if t.kind == tString {
			p.failAt(t, "a table field is written name = value: write [%q] = ...", t.text)
		}
	}
}

// field consumes the name after a dot.
func (p *parser) field() token {
	if k := p.tok.kind; k.reserved() {
		p.failAt(p.tok, `"%s" is a reserved word of Lua: write ["%s"] instead of .%s`, k, k, k)
	}
	return p.name("after '.'")
}

// method consumes the name after a colon.
func (p *parser) method() token {
	if p.tok.kind == tName {
		t := p.tok
		p.next()
		if n := p.tok.kind; n != tLparen && n != tString && n != tLbrace {
			p.colonField(t)
		}
		return t
	}
	if p.tok.kind == tColon {
		p.failAt(p.tok, "Lua 5.1 has no labels")
	}
	if n := len(p.open); n > 0 && p.open[n-1].closer == tRbrace {
		p.failAt(p.tok, "a table field is written name = value, not name: value")
	}
	return p.name("of a method after ':'")
}

// colonField fails where `name: value` was written in a table.
func (p *parser) colonField(t token) {
	if n := len(p.open); n > 0 && p.open[n-1].closer == tRbrace {
		p.failAt(t, "a table field is written name = value, not name: value")
	}
}
