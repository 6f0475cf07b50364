package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// maxFrames is how many frames at either end of a traceback are kept.
const maxFrames = 11

// line returns the line at which f is; ok is false if it is a function of Go.
func (f frame) line() (line int, ok bool) {
	fn := f.function()
	if fn.IsG {
		return 0, false
	}
	if pc := f.pc(); pc >= 0 && pc < len(fn.Proto.DbgSourcePositions) {
		return fn.Proto.DbgSourcePositions[pc], true
	}
	return fn.Proto.LineDefined, true
}

// calls returns the name of what f calls, "" where it has none.
func (f frame) calls() string {
	fn := f.function()
	if fn.IsG {
		return ""
	}
	for _, d := range fn.Proto.DbgCalls {
		if d.Pc == f.pc() && d.Name != "?" && d.Name[0] != '(' {
			return d.Name
		}
	}
	return ""
}

// describe returns f as a line of a traceback; ok is false if it is a function of Go.
func (f frame) describe() (d Frame, ok bool) {
	line, ok := f.line()
	if !ok {
		return Frame{}, false
	}
	proto := f.function().Proto
	d = Frame{Chunk: proto.SourceName, Line: line, Function: fmt.Sprintf("function of line %d", proto.LineDefined)}
	if proto.LineDefined == 0 {
		d.Function = "main chunk"
	} else if p, ok := f.parent(); ok && f.tailCalls() == 0 && p.calls() != "" {
		d.Function = "function '" + p.calls() + "'"
	}
	return d, true
}

// traceback lists the Lua functions that are active in all threads, innermost first. Of many it keeps the
// two ends.
func (vm *VM) traceback() []Frame {
	var frames []Frame
	for i := len(vm.running) - 1; i >= 0; i-- {
		for f, ok := innermost(vm.running[i]); ok; f, ok = f.parent() {
			if d, ok := f.describe(); ok {
				frames = append(frames, d)
			}
			if len(frames) > 4*maxFrames { // the last of these slide
				frames = append(frames[:maxFrames], frames[len(frames)-maxFrames:]...)
			}
		}
	}
	if len(frames) > 2*maxFrames {
		frames = append(frames[:maxFrames], frames[len(frames)-maxFrames:]...)
	}
	return frames
}

// where returns "chunk:line: " of a level as Lua 5.1 counts them: 0 is the function that runs, 1 the one
// that called it, and each tail call left a level without a place. It is empty where no Lua function is.
func (vm *VM) where(L *lua.LState, level int) string {
	i := len(vm.running) - 1
	for i > 0 && vm.running[i] != L {
		i--
	}
	for ; i >= 0; i-- {
		for f, ok := innermost(vm.running[i]); ok; f, ok = f.parent() {
			if level == 0 {
				line, ok := f.line()
				if !ok {
					return ""
				}
				return fmt.Sprintf("%s:%d: ", f.function().Proto.SourceName, line)
			}
			level -= 1 + f.tailCalls()
			if level < 0 {
				return ""
			}
		}
	}
	return ""
}
