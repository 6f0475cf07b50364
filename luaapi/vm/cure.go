package vm

import (
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
//     call follow; and a call in the last named field is taken for one that ends the list.
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
	vars     map[string]bool
	captured bool // a function captured one of vars
	loop     bool
	crossed  []*block // blocks inside this loop that a break of it leaves
}

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
		c.fn.block.vars[n] = true
	}
}

// local reports whether name is a local variable of the current function. A variable of an outer function
// is noted as captured.
func (c *cure) local(name string) bool {
	for fn := c.fn; fn != nil; fn = fn.parent {
		for b := fn.block; b != nil; b = b.parent {
			if b.vars[name] {
				b.captured = b.captured || fn != c.fn
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
