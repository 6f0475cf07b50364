package vm

import "github.com/yuin/gopher-lua/ast"

// statement parses one statement. last says that nothing may follow it in its block.
func (p *parser) statement() (s ast.Stmt, last bool) {
	t := p.tok
	switch t.kind {
	case tIf:
		s = p.ifStmt()
	case tWhile:
		p.next()
		w := &ast.WhileStmt{Condition: p.expr()}
		p.push(t, tEnd)
		p.expect(tDo, "after the condition of 'while'")
		w.Stmts = p.loop()
		w.SetLastLine(p.pop().line)
		s = w
	case tDo:
		p.next()
		p.push(t, tEnd)
		d := &ast.DoBlockStmt{Stmts: p.block()}
		d.SetLastLine(p.pop().line)
		s = d
	case tFor:
		s = p.forStmt()
	case tRepeat:
		p.next()
		s = p.repeatStmt(t)
	case tFunction:
		s = p.functionStmt()
	case tLocal:
		p.next()
		if p.tok.kind == tFunction {
			s = p.localFunction()
		} else {
			s = p.local()
		}
	case tReturn:
		p.next()
		r := &ast.ReturnStmt{}
		if !p.blockEnds() && p.tok.kind != tSemicolon {
			r.Exprs = p.exprList()
		}
		s, last = r, true
	case tBreak:
		p.next()
		if p.fn.loops == 0 {
			p.failAt(t, "'break' outside a loop")
		}
		s, last = &ast.BreakStmt{}, true
	default:
		s = p.exprStmt()
	}
	s.SetLine(t.line)
	return s, last
}

func (p *parser) loop() []ast.Stmt {
	p.fn.loops++
	defer func() { p.fn.loops-- }()
	return p.block()
}

func (p *parser) ifStmt() ast.Stmt {
	t := p.tok
	p.push(t, tEnd)
	first := &ast.IfStmt{}
	p.branch(first)
	parts := 0
	at := first
	for p.tok.kind == tElseif {
		if parts++; parts > maxChain {
			p.failAt(p.tok, "more than %d 'elseif' parts: use a table", maxChain)
		}
		n := &ast.IfStmt{}
		n.SetLine(p.tok.line)
		p.branch(n)
		at.Else = []ast.Stmt{n}
		at = n
	}
	if p.tok.kind == tElse {
		if n := p.peek(); n.kind == tIf && n.line == p.tok.line {
			p.elseIf = n.line
		}
		p.next()
		at.Else = p.block()
	}
	first.SetLastLine(p.pop().line)
	return first
}

// branch parses `if cond then block` or `elseif cond then block` into n.
func (p *parser) branch(n *ast.IfStmt) {
	word := p.tok.kind
	p.next()
	n.Condition = p.expr()
	p.expect(tThen, "after the condition of '"+word.String()+"'")
	n.Then = p.block()
}

func (p *parser) repeatStmt(t token) ast.Stmt {
	p.enter()
	defer p.leave()
	p.push(t, tUntil)
	locals := p.fn.locals
	r := &ast.RepeatStmt{Stmts: p.loop()}
	p.pop()
	r.Condition = p.expr()
	r.SetLastLine(p.prev.line)
	p.fn.locals = locals
	return r
}

func (p *parser) forStmt() ast.Stmt {
	t := p.tok
	p.next()
	locals := p.fn.locals
	defer func() { p.fn.locals = locals }()
	names := []string{p.name("of a loop variable").text}
	if p.tok.kind == tAssign {
		p.next()
		f := &ast.NumberForStmt{Name: names[0], Init: p.expr()}
		p.expect(tComma, "between the first and the last value of 'for'")
		f.Limit = p.expr()
		if p.accept(tComma) {
			f.Step = p.expr()
		}
		p.push(t, tEnd)
		p.expect(tDo, "after the values of 'for'")
		p.declare(4)
		f.Stmts = p.loop()
		f.SetLastLine(p.pop().line)
		return f
	}
	for p.accept(tComma) {
		names = append(names, p.name("of a loop variable").text)
	}
	p.expect(tIn, "after the variables of 'for'")
	g := &ast.GenericForStmt{Names: names, Exprs: p.exprList()}
	p.push(t, tEnd)
	p.expect(tDo, "after the values of 'for'")
	p.declare(3 + len(names))
	g.Stmts = p.loop()
	g.SetLastLine(p.pop().line)
	return g
}

// functionStmt parses `function a.b:c() … end` into the assignment that it stands for.
func (p *parser) functionStmt() ast.Stmt {
	t := p.tok
	p.next()
	n := p.name("after 'function'")
	target := p.ident(n)
	method := false
	for p.tok.kind == tDot || p.tok.kind == tColon {
		method = p.tok.kind == tColon
		p.next()
		n = p.name("of a function")
		target = p.index(target, n)
		if method {
			break
		}
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{p.body(t, method)}}
}

func (p *parser) localFunction() ast.Stmt {
	t := p.tok
	p.next()
	n := p.name("after 'local function'")
	p.declare(1)
	return &localFunctionStmt{name: n.text, fn: p.body(t, false)}
}

func (p *parser) local() ast.Stmt {
	l := &ast.LocalAssignStmt{Exprs: []ast.Expr{}}
	for {
		l.Names = append(l.Names, p.name("after 'local'").text)
		if !p.accept(tComma) {
			break
		}
	}
	if p.accept(tAssign) {
		l.Exprs = p.exprList()
	}
	p.declare(len(l.Names))
	return l
}

// exprStmt parses a call or an assignment.
func (p *parser) exprStmt() ast.Stmt {
	t := p.tok
	e, paren := p.suffixed()
	if p.tok.kind == tAssign || p.tok.kind == tComma {
		return p.assignment(t, e, paren)
	}
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || paren {
		p.notStatement(t, e)
	}
	return &ast.FuncCallStmt{Expr: call}
}

func (p *parser) assignment(t token, e ast.Expr, paren bool) ast.Stmt {
	a := &ast.AssignStmt{}
	for {
		p.assignable(t, e, paren)
		a.Lhs = append(a.Lhs, e)
		if !p.accept(tComma) {
			break
		}
		if len(a.Lhs) > maxLocals {
			p.failAt(p.tok, "too many variables in one assignment")
		}
		t = p.tok
		e, paren = p.suffixed()
	}
	p.expect(tAssign, "after the variables of an assignment")
	a.Rhs = p.exprList()
	return a
}

func (p *parser) assignable(t token, e ast.Expr, paren bool) {
	switch e.(type) {
	case *ast.IdentExpr, *ast.AttrGetExpr:
		if !paren {
			return
		}
	}
	p.failAt(t, "cannot assign to this expression: a variable or a field of a table is needed left of '='")
}
