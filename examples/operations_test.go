package examples

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/require"
)

// operations lists every operation with its input and its result, as they are declared.
func operations(t *testing.T) string {
	types := declared(t)
	var b strings.Builder
	shown := map[string]bool{}
	b.WriteString("| operation | what it does | input | result |\n| --- | --- | --- | --- |\n")
	row := func(name, help, in, out string) {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, help, typeLink(in), typeLink(out))
	}
	for _, o := range api.Ops {
		row(o.Name, o.Help, typeWords(reflect.TypeOf(o.In()).Elem()), typeWords(o.Out()))
	}
	for _, o := range api.Streams {
		row(o.Name, o.Help, typeWords(reflect.TypeOf(o.In()).Elem()), "a stream")
	}
	var list func(name string)
	list = func(name string) {
		name = strings.Trim(name, "[]")
		d, ok := types[name]
		if !ok || shown[name] || name == "Nothing" {
			return
		}
		shown[name] = true
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", name, sentence(d.doc))
		for _, f := range d.fields {
			fmt.Fprintf(&b, "- `%s`, %s", f.name, f.kind)
			if f.optional {
				b.WriteString(", may be left out")
			}
			if f.doc != "" {
				b.WriteString(": " + f.doc)
			}
			b.WriteString("\n")
		}
		for _, f := range d.fields {
			list(f.of)
		}
	}
	for _, o := range api.Ops {
		list(typeWords(reflect.TypeOf(o.In()).Elem()))
		list(typeWords(o.Out()))
	}
	for _, o := range api.Streams {
		list(typeWords(reflect.TypeOf(o.In()).Elem()))
	}
	return b.String()
}

func typeWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeWords(t.Elem())
	case reflect.Slice:
		return "[]" + typeWords(t.Elem())
	}
	return t.Name()
}

func typeLink(name string) string {
	plain := strings.Trim(name, "[]")
	switch {
	case plain == "Nothing":
		return "none"
	case strings.HasPrefix(plain, "a "):
		return plain
	case strings.HasPrefix(name, "[]"):
		return fmt.Sprintf("list of [%s](#%s)", plain, strings.ToLower(plain))
	}
	return fmt.Sprintf("[%s](#%s)", plain, strings.ToLower(plain))
}

// declaration is a type of package api as its source declares it.
type declaration struct {
	doc    string
	fields []declaredField
}

type declaredField struct {
	name, kind, of, doc string
	optional            bool
}

func declared(t *testing.T) map[string]declaration {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "host/api/*.go"))
	require.NoError(t, err)
	types := map[string]declaration{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.TypeSpec)
				if st, ok := s.Type.(*ast.StructType); ok {
					types[s.Name.Name] = declaration{doc: g.Doc.Text(), fields: fieldsOf(t, st)}
				}
			}
		}
	}
	return types
}

func fieldsOf(t *testing.T, st *ast.StructType) (fields []declaredField) {
	for _, f := range st.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		require.NoError(t, err)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		kind, of := kindOf(f.Type)
		doc := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
		fields = append(fields, declaredField{name: name, kind: kind, of: of, doc: doc, optional: strings.Contains(options, "omitempty")})
	}
	return fields
}

// kindOf says in the words of JSON what a type is, and of which other type of the package it is made.
func kindOf(e ast.Expr) (kind, of string) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return kindOf(e.X)
	case *ast.ArrayType:
		kind, of = kindOf(e.Elt)
		return "list of " + kind, of
	case *ast.MapType:
		kind, of = kindOf(e.Value)
		return "object of " + kind, of
	case *ast.Ident:
		switch e.Name {
		case "string", "Reason":
			return "string", ""
		case "bool":
			return "boolean", ""
		case "byte": // a list of them is a string in base64
			return "byte, as a string in base64", ""
		case "int", "int64", "uint64", "float64":
			return "number", ""
		}
		return fmt.Sprintf("[%s](#%s)", e.Name, strings.ToLower(e.Name)), e.Name
	}
	return fmt.Sprint(e), ""
}

// sentence is a comment as a paragraph, in which an indented line stays one.
func sentence(doc string) string { return strings.Join(strings.Fields(doc), " ") }
