package vm

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Bounds of what the compiler does right with a table constructor. It stores list items in batches.
const (
	listBatch = 50
	listMost  = 500 * listBatch
	// mixedMost bounds a table that has list items and other fields: each item becomes a field with a
	// constant for its key.
	mixedMost = 5000
)

// table moves list items out of the compiler's way. It loses or misplaces items where another field or a
// call comes when a batch is full, and where there are more than 511 batches.
func (c *cure) table(t *ast.TableExpr) ast.Expr {
	items, other, late := 0, false, false // late: something comes when a batch is full, or later
	var rest ast.Expr                     // the call that ends the list
	for i, f := range t.Fields {
		f.Value = c.expr(f.Value)
		switch {
		case f.Key != nil:
			f.Key = c.expr(f.Key)
			single(f.Value) // a call in the last field would be taken for one that ends the list
			other, late = true, late || items >= listBatch
		case i == len(t.Fields)-1 && isMulti(f.Value):
			rest, late = f.Value, late || items >= listBatch
		default:
			items++
		}
	}
	if !late && items <= listMost {
		return t
	}
	if rest != nil {
		t.Fields = t.Fields[:len(t.Fields)-1]
	}
	whole := ast.Expr(t)
	if other {
		c.keyed(t, items)
	} else if items > listMost {
		whole = split(t)
	}
	if rest == nil {
		return whole
	}
	return lineOf(t, &ast.FuncCallExpr{
		Func:      lineOf(t, &ast.IdentExpr{Value: opAppend}),
		Args:      []ast.Expr{whole, lineOf(t, numberExpr(float64(items))), rest},
		AdjustRet: true,
	})
}

// keyed turns the list items of a table into fields with their index as key.
func (c *cure) keyed(t *ast.TableExpr, items int) {
	if c.keys += items; c.keys > mixedMost {
		panic(&SyntaxError{Chunk: c.chunk, Line: t.Line(), Message: "too many list items beside named fields: put the list into a table of its own"})
	}
	n := 0
	for _, f := range t.Fields {
		if f.Key == nil {
			n++
			f.Key = lineOf(f.Value, numberExpr(float64(n)))
		}
	}
}

// split makes one list of several.
func split(t *ast.TableExpr) ast.Expr {
	call := &ast.FuncCallExpr{Func: lineOf(t, &ast.IdentExpr{Value: opJoin}), AdjustRet: true}
	for fields := range slices.Chunk(t.Fields, listMost) {
		call.Args = append(call.Args, lineOf(t, &ast.TableExpr{Fields: fields}), lineOf(t, numberExpr(float64(len(fields)))))
	}
	return lineOf(t, call)
}
