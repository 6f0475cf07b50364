package vm

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// MaxSource is the most bytes that a source may have.
const MaxSource = 256 << 10

// maxUpvalues is how many variables of outer functions one function may use, as in Lua 5.1.
const maxUpvalues = 60

// Compile turns src into a program that can be loaded into any number of VMs at the same time. chunk is
// the name that messages give it. A byte order mark and a first line that begins with # are accepted.
// The error is a *SyntaxError.
func Compile(src []byte, chunk string) (proto *lua.FunctionProto, err error) {
	if len(src) > MaxSource {
		line := 1 + bytes.Count(src[:MaxSource], []byte("\n"))
		return nil, &SyntaxError{Chunk: chunk, Line: line, Message: fmt.Sprintf("the file has %d bytes, more than the %d that are read", len(src), MaxSource)}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			proto, err = nil, r
		default:
			panic(r)
		}
	}()
	stmts := cureChunk(chunk, parse(chunk, src))
	proto, err = compileTree(stmts, chunk)
	if err != nil {
		return nil, compileFault(chunk, err)
	}
	if err := finish(proto); err != nil {
		return nil, err
	}
	return proto, nil
}

// compileTree compiles with gopher-lua. A panic there, which none of the programs tried has caused, is a fault
// of the source like others.
func compileTree(stmts []ast.Stmt, chunk string) (proto *lua.FunctionProto, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the compiler failed: %v", r)
		}
	}()
	return lua.Compile(stmts, chunk)
}

// compileFault words what the compiler of gopher-lua refuses. Only its bounds are left to refuse.
func compileFault(chunk string, err error) error {
	var ce *lua.CompileError
	if !errors.As(err, &ce) {
		return &SyntaxError{Chunk: chunk, Line: 1, Message: err.Error()}
	}
	where := "the main part of the file"
	if ce.Line > 0 {
		where = fmt.Sprintf("the function of line %d", ce.Line)
	}
	return &SyntaxError{
		Chunk: chunk, Line: max(ce.Line, 1),
		Message: fmt.Sprintf("%s is too large: too many local variables, or an expression with too many parts (%s)", where, ce.Message),
	}
}

// finish checks the bound that the compiler does not, and gives back the memory that it reserved.
func finish(proto *lua.FunctionProto) error {
	if n := len(proto.DbgUpvalues); n > maxUpvalues {
		return &SyntaxError{
			Chunk: proto.SourceName, Line: max(proto.LineDefined, 1),
			Message: fmt.Sprintf("this function uses %d variables of outer functions, more than %d", n, maxUpvalues),
		}
	}
	proto.Code = slices.Clone(proto.Code)
	proto.DbgSourcePositions = slices.Clone(proto.DbgSourcePositions)
	proto.Constants = slices.Clip(proto.Constants)
	for _, p := range proto.FunctionPrototypes {
		if err := finish(p); err != nil {
			return err
		}
	}
	return nil
}
