package vm

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

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
