package luaapi

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// outline knows where in a source the keys of a declaration are written. At run time a table has no
// memory of that, but the line of the call that it was given to is known, and the source has the table at
// this call.
type outline struct {
	calls map[int][]declarationCall // by line
}

// declarationCall is `word NAME { … }`, `word(NAME, { … })` or `word { … }` as it is written.
type declarationCall struct {
	word  string // the last name of what is called
	name  string // "" where it is not written as a string, or where there is none
	table *ast.TableExpr
}

// outlineOf reads a source that compiles; of any other it knows nothing.
func outlineOf(src []byte) *outline {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if bytes.HasPrefix(src, []byte("#")) { // a shebang line
		src = src[max(bytes.IndexByte(src, '\n'), 0):]
	}
	o := &outline{calls: map[int][]declarationCall{}}
	if chunk, err := parse.Parse(bytes.NewReader(src), ""); err == nil {
		o.walk(reflect.ValueOf(chunk))
	}
	return o
}

// add files a call under the lines that it may be known by: a call whose parts stand on several lines is
// at the line of its arguments when it runs.
func (o *outline) add(call *ast.FuncCallExpr) {
	d, ok := asDeclaration(call)
	if !ok {
		return
	}
	for _, line := range []int{call.Line(), call.Args[0].Line()} {
		if list := o.calls[line]; len(list) == 0 || list[len(list)-1] != d {
			o.calls[line] = append(list, d)
		}
	}
}

func (o *outline) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if call, ok := v.Interface().(*ast.FuncCallExpr); ok {
			o.add(call)
		}
		o.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			o.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				o.walk(v.Field(i))
			}
		}
	}
}

func asDeclaration(call *ast.FuncCallExpr) (d declarationCall, ok bool) {
	if len(call.Args) == 0 || len(call.Args) > 2 {
		return d, false
	}
	if d.table, ok = call.Args[len(call.Args)-1].(*ast.TableExpr); !ok {
		return d, false
	}
	head := call.Func
	if curried, ok := head.(*ast.FuncCallExpr); ok && len(curried.Args) == 1 && len(call.Args) == 1 {
		head = curried.Func
		d.name = stringOf(curried.Args[0])
	} else if len(call.Args) == 2 {
		d.name = stringOf(call.Args[0])
	}
	switch head := head.(type) {
	case *ast.IdentExpr:
		d.word = head.Value
	case *ast.AttrGetExpr:
		d.word = stringOf(head.Key)
	}
	return d, d.word != ""
}

func stringOf(e ast.Expr) string {
	if s, ok := e.(*ast.StringExpr); ok {
		return s.Value
	}
	return ""
}

// line returns where the last part of path that is written out stands, in the declaration of name by word
// that is called at line at. It returns at if nothing of it is.
func (o *outline) line(at int, word, name string, path []any) int {
	table := o.table(at, word, name)
	for _, key := range path {
		if table == nil {
			break
		}
		line, value := entry(table, key)
		if line == 0 {
			break
		}
		at = line
		table, _ = value.(*ast.TableExpr)
	}
	return at
}

// table picks the call: of several on one line the one with this name, else the only one whose name is
// computed.
func (o *outline) table(at int, word, name string) *ast.TableExpr {
	var computed *ast.TableExpr
	several := false
	for _, d := range o.calls[at] {
		switch {
		case d.word != word:
		case d.name == name:
			return d.table
		case d.name == "":
			computed, several = d.table, computed != nil
		}
	}
	if several {
		return nil
	}
	return computed
}

// entry finds key, a string or an int, in a table as it is written. Of several the last counts, as it
// does at run time.
func entry(table *ast.TableExpr, key any) (line int, value ast.Expr) {
	position := 0
	for _, f := range table.Fields {
		var same bool
		at := f.Value.Line()
		switch k := f.Key.(type) {
		case nil:
			position++
			same = key == position
		case *ast.StringExpr:
			same, at = key == k.Value, k.Line()
		case *ast.NumberExpr:
			same, at = fmt.Sprint(key) == k.Value, k.Line()
		}
		if same {
			line, value = at, f.Value
		}
	}
	return line, value
}
