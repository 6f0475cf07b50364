package vm

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// binary gives the priorities of the binary operators to the left and to the right.
var binary = map[kind][2]int{
	tOr: {1, 1}, tAnd: {2, 2},
	tLt: {3, 3}, tGt: {3, 3}, tLe: {3, 3}, tGe: {3, 3}, tNe: {3, 3}, tEq: {3, 3},
	tConcat: {5, 4}, tPlus: {6, 6}, tMinus: {6, 6}, tStar: {7, 7}, tSlash: {7, 7}, tPercent: {7, 7}, tCaret: {10, 9},
}

const unaryPriority = 8

func (p *parser) exprList() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.accept(tComma) {
		list = append(list, p.expr())
	}
	return list
}

func (p *parser) expr() ast.Expr { return p.subexpr(0) }

// subexpr parses operators that bind tighter than limit.
func (p *parser) subexpr(limit int) ast.Expr {
	p.enter()
	defer p.leave()
	var left ast.Expr
	switch t := p.tok; t.kind {
	case tNot, tMinus, tHash:
		p.next()
		left = unary(t, p.subexpr(unaryPriority))
	default:
		left = p.simple()
	}
	for n := 0; ; n++ {
		t := p.tok
		prio, ok := binary[t.kind]
		if !ok || prio[0] <= limit {
			return left
		}
		if n >= maxChain {
			p.failAt(t, "more than %d operators in a row: use several statements", maxChain)
		}
		p.next()
		left = binaryExpr(t, left, p.subexpr(prio[1]))
	}
}

func unary(t token, e ast.Expr) ast.Expr {
	var u ast.Expr
	switch t.kind {
	case tNot:
		u = &ast.UnaryNotOpExpr{Expr: e}
	case tMinus:
		u = &ast.UnaryMinusOpExpr{Expr: e}
	default:
		u = &ast.UnaryLenOpExpr{Expr: e}
	}
	u.SetLine(t.line)
	return u
}

func binaryExpr(t token, l, r ast.Expr) ast.Expr {
	var b ast.Expr
	switch t.kind {
	case tAnd, tOr:
		b = &ast.LogicalOpExpr{Operator: t.kind.String(), Lhs: l, Rhs: r}
	case tConcat:
		b = &ast.StringConcatOpExpr{Lhs: l, Rhs: r}
	case tPlus, tMinus, tStar, tSlash, tPercent, tCaret:
		b = &ast.ArithmeticOpExpr{Operator: t.kind.String(), Lhs: l, Rhs: r}
	default:
		b = &ast.RelationalOpExpr{Operator: t.kind.String(), Lhs: l, Rhs: r}
	}
	b.SetLine(t.line)
	return b
}

func (p *parser) simple() ast.Expr {
	t := p.tok
	var e ast.Expr
	switch t.kind {
	case tNumber:
		p.constant(t.number)
		e = numberExpr(t.number)
	case tString:
		p.constant(t.text)
		e = &ast.StringExpr{Value: t.text}
	case tNil:
		e = &ast.NilExpr{}
	case tTrue:
		e = &ast.TrueExpr{}
	case tFalse:
		e = &ast.FalseExpr{}
	case tDots:
		if !p.fn.vararg {
			p.failAt(t, "'...' outside a function with a variable number of arguments")
		}
		e = &ast.Comma3Expr{}
	case tLbrace:
		return p.table()
	case tFunction:
		p.next()
		return p.body(t, false)
	default:
		e, _ := p.suffixed()
		return e
	}
	e.SetLine(t.line)
	p.next()
	return e
}

// numberExpr writes v so that the compiler, which reads numbers anew, arrives at v: it takes a leading 0
// for octal and a number beyond the largest for NaN.
func numberExpr(v float64) *ast.NumberExpr {
	return &ast.NumberExpr{Value: strconv.FormatFloat(v, 'g', -1, 64)}
}

func (p *parser) ident(t token) ast.Expr {
	p.constant(t.text)
	e := &ast.IdentExpr{Value: t.text}
	e.SetLine(t.line)
	return e
}

func (p *parser) index(object ast.Expr, field token) ast.Expr {
	p.constant(field.text)
	key := &ast.StringExpr{Value: field.text}
	key.SetLine(field.line)
	e := &ast.AttrGetExpr{Object: object, Key: key}
	e.SetLine(field.line)
	return e
}

// suffixed parses a variable, a call or an index. paren says that it is a bare expression in parentheses.
func (p *parser) suffixed() (e ast.Expr, paren bool) {
	t := p.tok
	switch t.kind {
	case tName:
		p.next()
		e = p.ident(t)
	case tLparen:
		p.next()
		p.push(t, tRparen)
		e = single(p.expr())
		p.pop()
		paren = true
	default:
		p.unexpected()
	}
	for n := 0; ; n++ {
		if n >= maxChain {
			p.failAt(p.tok, "more than %d calls and indexes in a row", maxChain)
		}
		switch p.tok.kind {
		case tDot:
			p.next()
			e = p.index(e, p.field())
		case tLbracket:
			t := p.tok
			p.next()
			p.push(t, tRbracket)
			e = &ast.AttrGetExpr{Object: e, Key: p.expr()}
			e.SetLine(t.line)
			p.pop()
		case tColon:
			p.next()
			m := p.method()
			call := &ast.FuncCallExpr{Receiver: e, Method: m.text}
			p.constant(m.text)
			p.args(call)
			e = call
		case tLparen, tString, tLbrace:
			call := &ast.FuncCallExpr{Func: e}
			p.args(call)
			e = call
		default:
			return e, paren
		}
		paren = false
	}
}

// single marks that e yields one value, which parentheses do.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

func (p *parser) args(call *ast.FuncCallExpr) {
	t := p.tok
	call.SetLine(t.line)
	switch t.kind {
	case tString:
		call.Args = []ast.Expr{p.simple()}
	case tLbrace:
		call.Args = []ast.Expr{p.table()}
	case tLparen:
		if t.line != p.prev.line {
			p.failAt(t, "'(' on a line of its own after an expression: write ';' before it if a new statement begins, or move it up if this is a call")
		}
		p.next()
		p.push(t, tRparen)
		if p.tok.kind != tRparen {
			call.Args = p.exprList()
		}
		p.pop()
	default:
		p.missing(tLparen, "after the name of a method")
	}
}

func (p *parser) table() ast.Expr {
	t := p.tok
	p.next()
	p.push(t, tRbrace)
	tb := &ast.TableExpr{Fields: []*ast.Field{}}
	tb.SetLine(t.line)
	for p.tok.kind != tRbrace {
		tb.Fields = append(tb.Fields, p.tableField())
		if p.tok.kind != tComma && p.tok.kind != tSemicolon {
			p.fieldEnds()
			break
		}
		p.next()
	}
	p.pop()
	return tb
}

func (p *parser) tableField() *ast.Field {
	t := p.tok
	switch {
	case t.kind == tName && p.peek().kind == tAssign:
		p.next()
		p.next()
		p.constant(t.text)
		key := &ast.StringExpr{Value: t.text}
		key.SetLine(t.line)
		return &ast.Field{Key: key, Value: p.expr()}
	case t.kind == tLbracket:
		p.next()
		p.push(t, tRbracket)
		key := p.expr()
		p.pop()
		p.expect(tAssign, "after the key of a table field")
		return &ast.Field{Key: key, Value: p.expr()}
	}
	p.badKey()
	return &ast.Field{Value: p.expr()}
}
