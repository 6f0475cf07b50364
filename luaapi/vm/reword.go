package vm

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// reword puts a message of the interpreter into the words of Lua 5.1, as far as it tells enough.
func (vm *VM) reword(L *lua.LState, message string) string {
	position, text := "", strings.TrimPrefix(message, " ")
	if chunk, line, rest := vm.position(message); line > 0 {
		position, text = fmt.Sprintf("%s:%d: ", chunk, line), rest
	}
	switch {
	case strings.HasPrefix(text, "attempt to index a non-table object("):
		text = strings.TrimPrefix(text, "attempt to index a non-table object(")
		kind, key, _ := strings.Cut(text, ") with key ")
		text = fmt.Sprintf("attempt to index a %s value (looking for %s)", kind, key)
	case text == "attempt to call a non-function object":
		text = "attempt to call a value that is not a function" + called(L)
	case strings.HasPrefix(text, "cannot perform "):
		_, operands, _ := strings.Cut(text, " between ")
		a, b, _ := strings.Cut(operands, " and ")
		if a == "number" {
			a = b
		}
		text = fmt.Sprintf("attempt to perform arithmetic on a %s value", a)
	case text == "__unm undefined":
		text = "attempt to perform arithmetic on a value that is not a number"
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

// called names what was called on the line at which L is, if there is but one call there.
func called(L *lua.LState) string {
	dbg, ok := L.GetStack(0)
	if !ok {
		return ""
	}
	v, err := L.GetInfo("fl", dbg, lua.LNil)
	fn, ok := v.(*lua.LFunction)
	if err != nil || !ok || fn.IsG {
		return ""
	}
	var names []string
	for _, d := range fn.Proto.DbgCalls {
		if d.Pc < len(fn.Proto.DbgSourcePositions) && fn.Proto.DbgSourcePositions[d.Pc] == dbg.CurrentLine &&
			d.Name != "?" && !strings.HasPrefix(d.Name, "(") && !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(": '%s'", names[0])
	}
	return fmt.Sprintf(": one of '%s'", strings.Join(names, "', '"))
}
