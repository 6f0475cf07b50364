package vm

import (
	"math"
	"slices"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// cure rewrites a tree so that gopher-lua v1.1.2 compiles it to what Lua 5.1 means. What it avoids, each
// found by comparing random programs with the reference implementation:
//
//   - Assignments of several values overwrite variables that are still to be read (#440), and a call
//     assigned to the last parameter overwrites its neighbours. Values go through temporaries.
//   - Constant conditions leave code that jumps to jumps, which the peephole pass sends astray (#540).
//     They are decided here, and a loop never begins with a jump.
//   - break does not close variables of blocks between it and its loop that a function captured.
//   - `local f = function` is compiled as `local function f`.
//   - Table constructors with 50 list items and more lose or misplace items when named fields or a
//     call follow.
//   - for … in with other than one call leaves its state undefined.
//   - `..`, `#` and `%` print, measure and round unlike Lua 5.1, and `..` has no bound. They become
//     calls of functions of this package, whose names no source can write.
//
// Temporaries have names that no source can write, too.
type cure struct {
	chunk string
	fn    *function
	temps int
	keys  int // list items that became fields
}

type function struct {
	parent *function
	block  *block
}

// block is a scope as the compiler sees it: the body of a loop and its control variables are one.
type block struct {
	parent   *block
	vars     map[string]bool // to whether a function captured it
	captured bool            // one of vars is
	loop     bool
	crossed  []*block // blocks inside this loop that a break of it leaves
}

// Names of functions that cured code calls. The compiler names variables of its own in the same manner, such
// as "(for limit)"; these must be others.
const (
	opConcat   = "(..)"
	opLength   = "(#)"
	opModulo   = "(%)"
	opAppend   = "(append)"
	opJoin     = "(join)"
	opForInit  = "(initial)"
	opForLimit = "(limit)"
	opForStep  = "(step)"
)

func cureChunk(chunk string, stmts []ast.Stmt) []ast.Stmt {
	c := &cure{chunk: chunk, fn: &function{block: &block{vars: map[string]bool{}}}}
	return c.stmts(stmts)
}

func (c *cure) enter(loop bool) *block {
	c.fn.block = &block{parent: c.fn.block, vars: map[string]bool{}, loop: loop}
	return c.fn.block
}

func (c *cure) leave() { c.fn.block = c.fn.block.parent }

func (c *cure) declare(names ...string) {
	for _, n := range names {
		// A captured variable that is hidden by another of its name is still open.
		c.fn.block.vars[n] = false
	}
}

// local reports whether name is a local variable of the current function. A variable of an outer function
// is noted as captured.
func (c *cure) local(name string) bool {
	for fn := c.fn; fn != nil; fn = fn.parent {
		for b := fn.block; b != nil; b = b.parent {
			if _, ok := b.vars[name]; ok {
				if fn != c.fn {
					b.vars[name], b.captured = true, true
				}
				return fn == c.fn
			}
		}
	}
	return false
}

func (c *cure) temp() string {
	c.temps++
	return "(" + strconv.Itoa(c.temps) + ")"
}

func (c *cure) stmts(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, s := range list {
		out = append(out, c.stmt(s)...)
	}
	return out
}

func (c *cure) scoped(list []ast.Stmt) []ast.Stmt {
	c.enter(false)
	defer c.leave()
	return c.stmts(list)
}

// stmt returns what s becomes: one statement, or none, or several.
func (c *cure) stmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *localFunctionStmt:
		c.declare(s.name)
		l := &ast.LocalAssignStmt{Names: []string{s.name}, Exprs: []ast.Expr{c.function(s.fn)}}
		return at(s, l)
	case *ast.LocalAssignStmt:
		c.exprs(s.Exprs)
		if len(s.Names) == 1 && len(s.Exprs) == 1 {
			if _, ok := s.Exprs[0].(*ast.FunctionExpr); ok {
				s.Exprs = append(s.Exprs, lineOf(s, &ast.NilExpr{})) // so that the name is not visible yet
			}
		}
		c.declare(s.Names...)
	case *ast.AssignStmt:
		return c.assign(s)
	case *ast.FuncCallStmt:
		s.Expr = c.expr(s.Expr)
	case *ast.DoBlockStmt:
		s.Stmts = c.scoped(s.Stmts)
	case *ast.ReturnStmt:
		c.exprs(s.Exprs)
	case *ast.BreakStmt:
		for b := c.fn.block; ; b = b.parent {
			if b.loop {
				break
			}
			loop := b
			for !loop.loop {
				loop = loop.parent
			}
			loop.crossed = append(loop.crossed, b)
		}
	case *ast.IfStmt:
		return c.ifStmt(s)
	case *ast.WhileStmt, *ast.RepeatStmt, *ast.NumberForStmt, *ast.GenericForStmt:
		return c.loopStmt(s)
	}
	return []ast.Stmt{s}
}

func (c *cure) ifStmt(s *ast.IfStmt) []ast.Stmt {
	s.Condition = c.expr(s.Condition)
	s.Then = c.scoped(s.Then)
	s.Else = c.scoped(s.Else)
	value, constant := truth(s.Condition)
	if !constant {
		return []ast.Stmt{s}
	}
	body := s.Then
	if !value {
		body = s.Else
	}
	if len(body) == 0 {
		return nil
	}
	return at(s, &ast.DoBlockStmt{Stmts: body})
}

func (c *cure) function(f *ast.FunctionExpr) *ast.FunctionExpr {
	c.fn = &function{parent: c.fn, block: &block{vars: map[string]bool{}}}
	c.declare(f.ParList.Names...)
	if f.ParList.HasVargs {
		c.declare("arg")
	}
	f.Stmts = c.stmts(f.Stmts)
	c.fn = c.fn.parent
	return f
}

func (c *cure) exprs(list []ast.Expr) {
	for i, e := range list {
		list[i] = c.expr(e)
	}
}

func (c *cure) expr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.local(e.Value)
	case *ast.AttrGetExpr:
		e.Object, e.Key = c.expr(e.Object), c.expr(e.Key)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			e.Func = c.expr(e.Func)
		} else {
			e.Receiver = c.expr(e.Receiver)
		}
		c.exprs(e.Args)
	case *ast.FunctionExpr:
		return c.function(e)
	case *ast.TableExpr:
		return c.table(e)
	case *ast.LogicalOpExpr:
		return c.logical(e)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = c.expr(e.Lhs), c.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = c.expr(e.Lhs), c.expr(e.Rhs)
		if e.Operator == "%" {
			return c.modulo(e)
		}
	case *ast.StringConcatOpExpr:
		return c.concat(e)
	case *ast.UnaryMinusOpExpr:
		e.Expr = c.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		e.Expr = c.expr(e.Expr)
		if value, constant := truth(e.Expr); constant {
			if value {
				return lineOf(e, &ast.FalseExpr{})
			}
			return lineOf(e, &ast.TrueExpr{})
		}
	case *ast.UnaryLenOpExpr:
		return operator(e, opLength, c.expr(e.Expr))
	}
	return e
}

// logical decides and, or where the left side is a constant.
func (c *cure) logical(e *ast.LogicalOpExpr) ast.Expr {
	isBare := bare(e)
	e.Lhs, e.Rhs = c.expr(e.Lhs), c.expr(e.Rhs)
	value, constant := truth(e.Lhs)
	if !constant {
		return e
	}
	if value != (e.Operator == "and") {
		return e.Lhs
	}
	if id, ok := e.Rhs.(*ast.IdentExpr); ok && !isBare {
		// The value is that of the variable now. A bare variable would be read later, when other operands may
		// have changed it.
		return lineOf(e, &ast.LogicalOpExpr{Operator: "and", Lhs: id, Rhs: id})
	}
	return single(e.Rhs)
}

// bare reports whether e is a variable and no more, constants that decide nothing left aside. If it is a local
// one, its register serves as the operand, and is read when the operator or assignment happens.
func bare(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return true
	case *ast.LogicalOpExpr:
		value, constant := literal(e.Lhs)
		return constant && value == (e.Operator == "and") && bare(e.Rhs)
	}
	return false
}

// literal says what e counts for as a condition if Lua 5.1 decides that when it compiles.
func literal(e ast.Expr) (value, constant bool) {
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		value, constant = literal(e.Expr)
		return !value, constant
	case *ast.FunctionExpr:
		return true, false
	}
	return truth(e)
}

// concat flattens a chain of .. into one call.
func (c *cure) concat(e *ast.StringConcatOpExpr) ast.Expr {
	args := []ast.Expr{c.expr(e.Lhs)}
	rest := e.Rhs
	for {
		next, ok := rest.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		args = append(args, c.expr(next.Lhs))
		rest = next.Rhs
	}
	return operator(e, opConcat, append(args, single(c.expr(rest)))...)
}

func (c *cure) modulo(e *ast.ArithmeticOpExpr) ast.Expr {
	a, aok := e.Lhs.(*ast.NumberExpr)
	b, bok := e.Rhs.(*ast.NumberExpr)
	if aok && bok {
		x, _ := strconv.ParseFloat(a.Value, 64)
		y, _ := strconv.ParseFloat(b.Value, 64)
		if v := modulo(x, y); v != 0 && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return lineOf(e, numberExpr(v))
		}
	}
	return operator(e, opModulo, e.Lhs, single(e.Rhs))
}

// operator is the call of one of this package's functions in place of e.
func operator(e ast.Expr, name string, args ...ast.Expr) ast.Expr {
	single(args[len(args)-1])
	call := &ast.FuncCallExpr{Func: lineOf(e, &ast.IdentExpr{Value: name}), Args: args, AdjustRet: true}
	return lineOf(e, call)
}

// truth says what a constant counts for as a condition.
func truth(e ast.Expr) (value, constant bool) {
	switch e.(type) {
	case *ast.TrueExpr, *ast.NumberExpr, *ast.StringExpr, *ast.FunctionExpr:
		return true, true
	case *ast.FalseExpr, *ast.NilExpr:
		return false, true
	}
	return false, false
}

func lineOf[E ast.PositionHolder](at ast.PositionHolder, e E) E {
	e.SetLine(at.Line())
	e.SetLastLine(at.LastLine())
	return e
}

// at gives statements the lines of s.
func at(s ast.PositionHolder, list ...ast.Stmt) []ast.Stmt {
	for _, n := range list {
		if n.Line() == 0 {
			lineOf(s, n)
		}
	}
	return list
}

// isMulti reports whether e yields as many values as there are.
func isMulti(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}

// crossesCaptured reports whether a break of the loop leaves a block with captured variables behind.
func (b *block) crossesCaptured() bool {
	return slices.ContainsFunc(b.crossed, func(b *block) bool { return b.captured })
}
