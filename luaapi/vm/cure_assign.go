package vm

import "github.com/yuin/gopher-lua/ast"

// assign rewrites an assignment in the order of Lua 5.1: the tables and keys of the targets from left to
// right, then the values, then the assignments from right to left. Local variables that are a table or
// key are read when the assignment happens, unless a target to the right assigns to them.
func (c *cure) assign(s *ast.AssignStmt) []ast.Stmt {
	late := map[ast.Expr]bool{} // what is read at the moment of the assignment if it is a local variable
	for _, t := range s.Lhs {
		if a, ok := t.(*ast.AttrGetExpr); ok {
			object, key := bare(a.Object), bare(a.Key)
			a.Object, a.Key = c.expr(a.Object), c.expr(a.Key)
			late[a.Object], late[a.Key] = object, key
		} else {
			c.expr(t)
		}
	}
	c.exprs(s.Rhs)
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 && c.direct(s.Lhs[0], s.Rhs[0]) {
		return []ast.Stmt{s}
	}
	// The temporaries live in a block of their own. It hides nothing: no source can name them.
	block := &ast.DoBlockStmt{}
	for i, t := range s.Lhs {
		if a, ok := t.(*ast.AttrGetExpr); ok {
			a.Object = c.hold(block, s.Lhs[i+1:], a.Object, late[a.Object])
			if _, ok := a.Key.(*ast.StringExpr); !ok {
				a.Key = c.hold(block, s.Lhs[i+1:], a.Key, late[a.Key])
			}
		}
	}
	values := &ast.LocalAssignStmt{Exprs: s.Rhs}
	for range s.Lhs {
		values.Names = append(values.Names, c.temp())
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		if _, ok := s.Rhs[0].(*ast.FunctionExpr); !ok {
			s.Rhs[0] = single(s.Rhs[0])
		}
	}
	block.Stmts = append(block.Stmts, at(s, values)...)
	for i := len(s.Lhs) - 1; i >= 0; i-- {
		v := lineOf(s, &ast.IdentExpr{Value: values.Names[i]})
		block.Stmts = append(block.Stmts, at(s, &ast.AssignStmt{Lhs: s.Lhs[i : i+1], Rhs: []ast.Expr{v}})...)
	}
	return at(s, block)
}

// direct reports whether the compiler does the assignment of one value right as it stands.
func (c *cure) direct(target, value ast.Expr) bool {
	switch target.(type) {
	case *ast.IdentExpr:
		switch v := value.(type) {
		case *ast.ArithmeticOpExpr:
			return inert(v.Lhs) && inert(v.Rhs)
		}
	case *ast.AttrGetExpr:
		if _, ok := target.(*ast.AttrGetExpr).Object.(*ast.StringExpr); ok {
			return false // becomes a constant where a register is needed
		}
	}
	return inert(value)
}

// inert reports whether e calls nothing and so cannot change a variable.
func inert(e ast.Expr) bool {
	switch e.(type) {
	case *ast.IdentExpr, *ast.NumberExpr, *ast.StringExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.FunctionExpr:
		return true
	}
	return false
}

// hold returns what stands for e, the table or key of a target: e itself where it is read at the moment of the
// assignment, else a temporary. after are the targets to the right.
func (c *cure) hold(block *ast.DoBlockStmt, after []ast.Expr, e ast.Expr, late bool) ast.Expr {
	switch e := e.(type) {
	case *ast.NumberExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr:
		return e
	case *ast.IdentExpr:
		if late && c.local(e.Value) && !assigns(after, e.Value) {
			return e
		}
	}
	name := c.temp()
	l := &ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{single(e)}}
	block.Stmts = append(block.Stmts, at(e, l)...)
	return lineOf(e, &ast.IdentExpr{Value: name})
}

func assigns(targets []ast.Expr, name string) bool {
	for _, t := range targets {
		if id, ok := t.(*ast.IdentExpr); ok && id.Value == name {
			return true
		}
	}
	return false
}
