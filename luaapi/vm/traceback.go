package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// maxFrames is how many frames at either end of a traceback are kept.
const maxFrames = 11

// levels returns how many levels th has. A tail call leaves a level of its own, and there may be millions.
func levels(th *lua.LState) int {
	high := 8
	for {
		if _, ok := th.GetStack(high); !ok {
			break
		}
		high *= 2
	}
	low := 0 // invariant: low levels exist, level high does not
	for low < high {
		mid := (low + high) / 2
		if _, ok := th.GetStack(mid); ok {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// frameAt returns the frame at a level of th, of which there are n. ok is false for a level that a tail
// call left behind: gopher-lua answers with the outermost frame there.
func frameAt(th *lua.LState, level, n int) (dbg *lua.Debug, ok bool) {
	if level < 0 || level >= n {
		return nil, false
	}
	dbg, _ = th.GetStack(level)
	if level < n-1 {
		if base, _ := th.GetStack(n - 1); *base == *dbg {
			return nil, false
		}
	}
	return dbg, true
}

// frameOf describes a level of th if a Lua function runs there.
func frameOf(th *lua.LState, level, n int) (Frame, bool) {
	dbg, ok := frameAt(th, level, n)
	if !ok {
		return Frame{}, false
	}
	v, err := th.GetInfo("fnSl", dbg, lua.LNil)
	if err != nil {
		return Frame{}, false
	}
	fn, ok := v.(*lua.LFunction)
	if !ok || fn.IsG {
		return Frame{}, false
	}
	f := Frame{Chunk: dbg.Source, Line: dbg.CurrentLine}
	switch {
	case dbg.LineDefined == 0:
		f.Function = "main chunk"
	case dbg.Name == "" || dbg.Name == "?" || dbg.Name[0] == '<' || dbg.Name[0] == '(' || level == n-1:
		f.Function = fmt.Sprintf("function of line %d", dbg.LineDefined)
	default:
		f.Function = "function '" + dbg.Name + "'"
	}
	return f, true
}

// traceback lists the Lua functions that are active in all threads, innermost first. Of many it keeps the
// two ends.
func (vm *VM) traceback() []Frame {
	var frames []Frame
	for i := len(vm.running) - 1; i >= 0; i-- {
		th := vm.running[i]
		n := levels(th)
		for l := 0; l < n; l++ {
			if l == 2*maxFrames && n > 4*maxFrames {
				l = n - 2*maxFrames
			}
			if f, ok := frameOf(th, l, n); ok {
				frames = append(frames, f)
			}
		}
		if len(frames) > 4*maxFrames {
			frames = append(frames[:2*maxFrames:2*maxFrames], frames[len(frames)-2*maxFrames:]...)
		}
	}
	if len(frames) > 2*maxFrames {
		frames = append(frames[:maxFrames:maxFrames], frames[len(frames)-maxFrames:]...)
	}
	return frames
}

// where returns "chunk:line: " of a level as Lua 5.1 counts them: 0 is the function that runs, 1 the one
// that called it. It is empty where no Lua function is.
func (vm *VM) where(L *lua.LState, level int) string {
	i := len(vm.running) - 1
	for i > 0 && vm.running[i] != L {
		i--
	}
	for ; i >= 0; i-- {
		th := vm.running[i]
		n := levels(th)
		if level < n {
			if f, ok := frameOf(th, level, n); ok {
				return fmt.Sprintf("%s:%d: ", f.Chunk, f.Line)
			}
			return ""
		}
		level -= n
	}
	return ""
}
