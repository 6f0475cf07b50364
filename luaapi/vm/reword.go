package vm

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// reword puts a message of the interpreter, raised in th, into the words of Lua 5.1.
func (vm *VM) reword(th *lua.LState, message string) string {
	position, text := "", strings.TrimPrefix(message, " ")
	if chunk, line, rest := vm.position(message); line > 0 {
		position, text = fmt.Sprintf("%s:%d: ", chunk, line), rest
	}
	f, ok := innermost(th)
	ok = ok && !f.function().IsG
	switch {
	case strings.HasPrefix(text, "attempt to index a non-table object("):
		text = strings.TrimPrefix(text, "attempt to index a non-table object(")
		kind, key, _ := strings.Cut(text, ") with key ")
		text = fmt.Sprintf("attempt to index a %s value (looking for %s)", kind, key)
		if ok {
			if name := f.indexed(); name != "" {
				text = fmt.Sprintf("attempt to index %s (a %s value)", name, kind)
			}
		}
	case text == "attempt to call a non-function object":
		text = "attempt to call a value that is not a function"
		if ok {
			text = "attempt to call " + f.operand(th, f.at().a())
		}
	case strings.HasPrefix(text, "cannot perform "):
		_, operands, _ := strings.Cut(text, " between ")
		kind, second, _ := strings.Cut(operands, " and ")
		register := 0
		if ok {
			register = f.at().b()
		}
		if kind == "number" {
			kind, register = second, f.at().c()
		}
		text = "attempt to perform arithmetic on " + value(f.nameOf(ok, register), kind)
	case text == "__unm undefined":
		text = "attempt to perform arithmetic on a value that is not a number"
		if ok {
			text = "attempt to perform arithmetic on " + f.operand(th, f.at().b())
		}
	case strings.HasPrefix(text, "attempt to compare "):
		a, b, _ := strings.Cut(strings.TrimPrefix(text, "attempt to compare "), " with ")
		if a == b {
			text = fmt.Sprintf("attempt to compare two %s values", a)
		}
	case text == "too many recursions in gettable", text == "too many recursions in settable":
		text = "loop in " + text[len(text)-len("gettable"):]
	case text == "registry overflow":
		text = "stack overflow"
	}
	return position + text
}

// value names a value for a message: by its origin if there is one.
func value(name, kind string) string {
	if name == "" {
		return "a " + kind + " value"
	}
	return fmt.Sprintf("%s (a %s value)", name, kind)
}

func (f frame) nameOf(ok bool, operand int) string {
	if !ok {
		return ""
	}
	return f.origin(operand)
}

// operand names the value in a register for a message.
func (f frame) operand(th *lua.LState, register int) string {
	return value(f.origin(register), f.typeOf(th, register))
}

// indexed says where the table that f's instruction indexes came from.
func (f frame) indexed() string {
	switch i := f.at(); i.op() {
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF:
		return f.origin(i.b())
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		return f.origin(i.a())
	}
	return ""
}
