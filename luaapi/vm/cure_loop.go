package vm

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// loopStmt rewrites a loop.
func (c *cure) loopStmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.WhileStmt:
		s.Condition = c.expr(s.Condition)
		value, constant := truth(s.Condition)
		s.Stmts = c.loopBody(s, s.Stmts)
		if constant && !value {
			return nil
		}
		if constant {
			s.Condition = lineOf(s.Condition, &ast.TrueExpr{})
		}
	case *ast.RepeatStmt:
		b := c.enter(true)
		s.Stmts = c.stmts(s.Stmts)
		s.Condition = c.expr(s.Condition) // sees the variables of the body
		c.leave()
		s.Stmts = guarded(s, b, s.Stmts)
		if value, constant := truth(s.Condition); constant {
			s.Condition = lineOf(s.Condition, &ast.FalseExpr{})
			if value {
				s.Condition = lineOf(s.Condition, &ast.TrueExpr{})
			}
		}
	case *ast.NumberForStmt:
		s.Init = forNumber(opForInit, c.expr(s.Init))
		s.Limit = forNumber(opForLimit, c.expr(s.Limit))
		if s.Step != nil {
			s.Step = forNumber(opForStep, c.expr(s.Step))
		}
		s.Stmts = c.loopBody(s, s.Stmts, s.Name)
	case *ast.GenericForStmt:
		return c.genericFor(s)
	}
	return []ast.Stmt{s}
}

func (c *cure) loopBody(s ast.Stmt, body []ast.Stmt, names ...string) []ast.Stmt {
	b := c.enter(true)
	defer c.leave()
	c.declare(names...)
	return guarded(s, b, c.stmts(body))
}

// guarded puts before the body of a loop what keeps the compiler right.
func guarded(s ast.Stmt, b *block, body []ast.Stmt) []ast.Stmt {
	if b.crossesCaptured() {
		// break closes the variables of the loop's own block and above, if a function captured one. A
		// function that is never made captures one.
		mark := "(close)"
		use := lineOf(s, &ast.FunctionExpr{ParList: &ast.ParList{Names: []string{}}, Stmts: at(s,
			&ast.ReturnStmt{Exprs: []ast.Expr{lineOf(s, &ast.IdentExpr{Value: mark})}})})
		never := at(s, &ast.LocalAssignStmt{Names: []string{"(never)"}, Exprs: []ast.Expr{use}})
		return append(at(s,
			&ast.LocalAssignStmt{Names: []string{mark}, Exprs: []ast.Expr{lineOf(s, &ast.FalseExpr{})}},
			&ast.IfStmt{Condition: lineOf(s, &ast.FalseExpr{}), Then: never},
		), body...)
	}
	if beginsWithJump(body) {
		nop := &ast.LocalAssignStmt{Names: []string{"(nop)"}, Exprs: []ast.Expr{lineOf(s, &ast.FalseExpr{})}}
		return append(at(s, nop), body...)
	}
	return body
}

// beginsWithJump reports whether the first instruction of body may be a jump. The jump back to it would be
// taken for one that is still to be resolved.
func beginsWithJump(body []ast.Stmt) bool {
	if len(body) == 0 {
		return true
	}
	switch s := body[0].(type) {
	case *ast.LocalAssignStmt, *ast.AssignStmt, *ast.FuncCallStmt, *ast.ReturnStmt, *ast.NumberForStmt, *ast.GenericForStmt:
		return false
	case *ast.DoBlockStmt:
		return beginsWithJump(s.Stmts)
	}
	return true
}

// forNumber makes e a number, as Lua 5.1 does with strings, or fails with words that name the part.
func forNumber(op string, e ast.Expr) ast.Expr {
	if _, ok := e.(*ast.NumberExpr); ok {
		return e
	}
	return operator(e, op, e)
}

// genericFor makes the values of `for … in` three: a call, which the compiler adjusts, or three variables.
func (c *cure) genericFor(s *ast.GenericForStmt) []ast.Stmt {
	c.exprs(s.Exprs)
	if len(s.Exprs) == 1 && isMulti(s.Exprs[0]) {
		s.Stmts = c.loopBody(s, s.Stmts, s.Names...)
		return []ast.Stmt{s}
	}
	init := &ast.LocalAssignStmt{Names: []string{c.temp(), c.temp(), c.temp()}, Exprs: s.Exprs}
	s.Exprs = make([]ast.Expr, len(init.Names))
	for i, n := range init.Names {
		s.Exprs[i] = lineOf(s, &ast.IdentExpr{Value: n})
	}
	s.Stmts = c.loopBody(s, s.Stmts, s.Names...)
	return at(s, &ast.DoBlockStmt{Stmts: append(at(s, init), s)})
}

// crossesCaptured reports whether a break of the loop leaves a block with captured variables behind.
func (b *block) crossesCaptured() bool {
	return slices.ContainsFunc(b.crossed, func(b *block) bool { return b.captured })
}
