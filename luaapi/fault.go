package luaapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prochost/prochost/luaapi/vm"
)

// syntaxError places why a file is no program.
func syntaxError(chunk string, err error) Error {
	var se *vm.SyntaxError
	if !errors.As(err, &se) {
		return Error{File: chunk, Message: err.Error()}
	}
	return Error{File: se.Chunk, Line: se.Line, Column: se.Column, Message: se.Message}
}

// runtimeError places what ended the run of a recipe.
func (l *load) runtimeError(err error) Error {
	var re *vm.RuntimeError
	if !errors.As(err, &re) {
		return Error{File: l.entry, Message: err.Error()}
	}
	e := Error{File: re.Chunk, Line: re.Line, Message: re.Message}
	if l.sources[e.File] == nil { // of the embedded library, or nowhere
		e.File, e.Line = l.entry, 0
		for _, f := range re.Traceback {
			if l.sources[f.Chunk] != nil {
				e.File, e.Line = f.Chunk, f.Line
				break
			}
		}
	}
	var se *vm.SyntaxError
	switch {
	case errors.As(err, &se) && l.sources[se.Chunk] != nil:
		return syntaxError(se.Chunk, se)
	case errors.Is(err, vm.ErrTime), errors.Is(err, context.DeadlineExceeded):
		e.Message = fmt.Sprintf("the load was stopped after %s", loadTime)
	case errors.Is(err, vm.ErrMemory):
		e.Message = fmt.Sprintf("the load was stopped when it held %d MiB", loadMemory>>20)
	}
	e.Message += l.traceback(re.Traceback)
	return e
}

// traceback writes the frames of the user's own files, each on a line, unless the only one is the place of
// the error itself.
func (l *load) traceback(frames []vm.Frame) string {
	var b strings.Builder
	n := 0
	for _, f := range frames {
		if l.sources[f.Chunk] != nil {
			n++
			b.WriteString("\n    " + f.String())
		}
	}
	if n < 2 {
		return ""
	}
	return b.String()
}
