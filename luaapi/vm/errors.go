package vm

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// What a call or a Runner may report, for errors.Is.
var (
	// ErrTime: the call used up its time.
	ErrTime = errors.New("out of time")
	// ErrMemory: the state grew by more than the call may add to it.
	ErrMemory = errors.New("out of memory")
	// ErrPattern: matching a pattern took too many steps.
	ErrPattern = errors.New("pattern too complex")
	// ErrBusy: an earlier call still runs.
	ErrBusy = errors.New("busy with an earlier call")
	// ErrClosed: the VM or the Runner is closed.
	ErrClosed = errors.New("closed")
)

// RuntimeError is a Lua error that no pcall caught, or the end of a call that had to be stopped.
type RuntimeError struct {
	// Chunk and Line say where, as the message of the error does, or else where it was raised. Line is 0
	// where no Lua code was running.
	Chunk string
	Line  int
	// Message is the error in words, without the position.
	Message   string
	Traceback []Frame
	// Value is the Lua value that was raised; nil where the call was stopped.
	Value lua.LValue
	// Cause is what errors.Is and errors.As see: ErrTime, ErrMemory, ErrPattern, the cause of a cancelled
	// context, a *SyntaxError of a required module, or the error given to VM.Raise.
	Cause error
	// Stack is the stack of the goroutine where the error was a panic of Go code; else it is nil.
	Stack []byte
}

// Frame is one Lua function that was active, innermost first. Functions of Go have none.
type Frame struct {
	Chunk    string
	Line     int
	Function string // "main chunk", "function 'name'" or "function of line N"
}

// String returns the frame as a line of a traceback.
func (f Frame) String() string { return fmt.Sprintf("%s:%d: in %s", f.Chunk, f.Line, f.Function) }

// Error implements error, such as `prochost.lua:12: attempt to index a nil value`.
func (e *RuntimeError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message)
}

// Unwrap returns Cause.
func (e *RuntimeError) Unwrap() error { return e.Cause }

// runtimeError makes the error of a call from what ended it.
func (vm *VM) runtimeError(f *fault) *RuntimeError {
	e := &RuntimeError{Traceback: f.trace, Value: f.value, Cause: f.stop, Stack: f.stack}
	if len(f.trace) > 0 {
		e.Chunk, e.Line = f.trace[0].Chunk, f.trace[0].Line
	}
	if f.stop != nil {
		e.Message = f.stop.Error()
		return e
	}
	text := vm.describe(f.value)
	if chunk, line, rest := vm.position(text); line > 0 {
		e.Chunk, e.Line, text = chunk, line, rest
	}
	e.Message = text
	if s, ok := f.value.(lua.LString); ok && vm.raised.err != nil && vm.raised.message == string(s) {
		e.Cause = vm.raised.err
	}
	return e
}

// describe puts an error value into words: a string, what __tostring returns, or the field message.
func (vm *VM) describe(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString, lua.LNumber:
		return text(v)
	case *lua.LTable:
		if fn := vm.base.GetMetaField(v, "__tostring"); fn != lua.LNil {
			if rets, f := vm.protect(fn, []lua.LValue{v}); f == nil && len(rets) > 0 && convertible(rets[0]) {
				return text(rets[0])
			}
		}
		if m := v.RawGetString("message"); convertible(m) {
			return text(m)
		}
	}
	return fmt.Sprintf("(an error value that is a %s)", v.Type())
}

// position splits "chunk:line: rest", if chunk is one that was loaded here.
func (vm *VM) position(s string) (chunk string, line int, rest string) {
	for chunk := range vm.chunks {
		after, ok := strings.CutPrefix(s, chunk+":")
		if !ok {
			continue
		}
		n, digits := 0, 0
		for digits < len(after) && digits < 9 && isDigit(after[digits]) {
			n = n*10 + int(after[digits]-'0')
			digits++
		}
		if rest, ok := strings.CutPrefix(after[digits:], ": "); ok && digits > 0 {
			return chunk, n, rest
		}
	}
	return "", 0, s
}
