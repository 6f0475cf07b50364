package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// long is a limit that no test reaches.
const long = time.Minute

func load(t testing.TB, vm *VM, src string) *lua.LFunction {
	t.Helper()
	proto, err := Compile([]byte(src), "f.lua")
	require.NoError(t, err)
	return vm.Load(proto)
}

func newVM(t testing.TB, opts Options) *VM {
	t.Helper()
	vm := New(opts)
	t.Cleanup(vm.Close)
	return vm
}

// runtimeError returns err as what it must be.
func runtimeError(t testing.TB, err error) *RuntimeError {
	t.Helper()
	var e *RuntimeError
	require.ErrorAs(t, err, &e)
	return e
}

func TestCallPassesValues(t *testing.T) {
	vm := newVM(t, Options{})
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "local a, b = ... return b, a, select('#', ...)"), lua.LString("x"), lua.LNil)
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LNil, lua.LString("x"), lua.LNumber(2)}, rets)
}

func TestCallIsStoppedByTime(t *testing.T) {
	vm := newVM(t, Options{})
	_, err := vm.Call(t.Context(), Limits{Time: 20 * time.Millisecond}, load(t, vm, "local n = 0\nwhile true do\n  n = n + 1\nend"))
	require.ErrorIs(t, err, ErrTime)
	e := runtimeError(t, err)
	assert.Equal(t, "f.lua", e.Chunk)
	assert.Contains(t, []int{2, 3, 4}, e.Line)
	assert.NotEmpty(t, e.Traceback)
}

func TestCallIsStoppedByItsContext(t *testing.T) {
	reason := errors.New("the reason")
	vm := newVM(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	vm.SetGlobal("stop", vm.State().NewFunction(func(*lua.LState) int { cancel(reason); return 0 }))
	_, err := vm.Call(ctx, Limits{}, load(t, vm, "stop() while true do end"))
	require.ErrorIs(t, err, reason)
	_, err = vm.Call(ctx, Limits{}, load(t, vm, "return 1"))
	require.ErrorIs(t, err, reason, "a call under a context that is done")
}

// The end of a call is no error that Lua code could handle.
func TestTimeoutCannotBeCaught(t *testing.T) {
	vm := newVM(t, Options{})
	for _, src := range []string{
		"return pcall(function() while true do end end)",
		"return xpcall(function() while true do end end, function() return 'handled' end)",
		"return pcall(pcall, function() while true do end end)",
		"while true do pcall(function() while true do end end) end",
		"return (('x'):gsub('x', function() while true do end end))",
		"return setmetatable({}, { __index = function() while true do end end }).x",
	} {
		_, err := vm.Call(t.Context(), Limits{Time: 10 * time.Millisecond}, load(t, vm, src))
		assert.ErrorIs(t, err, ErrTime, src)
	}
}

func TestStateIsUsableAfterMany(t *testing.T) {
	vm := newVM(t, Options{})
	bad := load(t, vm, "local t = {} for i = 1, 50 do t[i] = function() return t end end while true do pcall(function() while true do end end) end")
	failing := load(t, vm, "local x = nil; return x.y")
	good := load(t, vm, "counter = (counter or 0) + 1 return counter")
	for i := range 30 {
		_, err := vm.Call(t.Context(), Limits{Time: time.Millisecond}, bad)
		require.ErrorIs(t, err, ErrTime)
		_, err = vm.Call(t.Context(), Limits{Time: long}, failing)
		require.ErrorContains(t, err, "attempt to index")
		rets, err := vm.Call(t.Context(), Limits{Time: long}, good)
		require.NoError(t, err)
		require.Equal(t, lua.LNumber(i+1), rets[0])
	}
	assert.Empty(t, vm.running)
	assert.LessOrEqual(t, len(vm.idle), maxIdle)
}

// A late tick of an earlier call must not end the one that runs.
func TestDeadlinesDoNotMix(t *testing.T) {
	vm := newVM(t, Options{})
	quick, slow := load(t, vm, "return 1"), load(t, vm, "local n = 0 for i = 1, 5000 do n = n + i end return n")
	for range 100 {
		_, err := vm.Call(t.Context(), Limits{Time: long}, quick)
		require.NoError(t, err)
		_, _ = vm.Call(t.Context(), Limits{Time: 100 * time.Microsecond}, slow) // may or may not be in time
		_, err = vm.Call(t.Context(), Limits{Time: long}, slow)
		require.NoError(t, err)
	}
}

func TestErrorValues(t *testing.T) {
	vm := newVM(t, Options{})
	for _, c := range []struct {
		src, message string
		line         int
		value        lua.LValue
	}{
		{"\nerror('text')", "text", 2, lua.LString("f.lua:2: text")},
		{"\nerror('text', 0)", "text", 2, lua.LString("text")},
		{"local function f() error('text', 2) end\n\nf()", "text", 3, lua.LString("f.lua:3: text")},
		{"local ok, e = pcall(error, 'inner')\n\nerror(e, 0)", "inner", 3, lua.LString("inner")},
		{"local ok, e = pcall(function() error('inner') end)\n\nerror(e, 0)", "inner", 1, lua.LString("f.lua:1: inner")},
		{"error(42)", "42", 1, lua.LString("f.lua:1: 42")},
		{"error()", "(an error value that is a nil)", 1, lua.LNil},
		{"error(true)", "(an error value that is a boolean)", 1, lua.LTrue},
		{"error({ message = 'field' })", "field", 1, nil},
		{"error(setmetatable({}, { __tostring = function() return 'words' end }))", "words", 1, nil},
		{"error(setmetatable({ message = 'field' }, { __tostring = error }))", "field", 1, nil},
		{"error({})", "(an error value that is a table)", 1, nil},
		{"local t\nt.x = 1", "attempt to index a nil value (looking for 'x')", 2, nil},
		{"assert(false, 'text')", "text", 1, nil},
		{"local function f() return f() + 1 end f()", "stack overflow", 1, nil},
	} {
		_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, c.src))
		e := runtimeError(t, err)
		assert.Equal(t, c.message, e.Message, c.src)
		assert.Equal(t, c.line, e.Line, c.src)
		assert.Equal(t, fmt.Sprintf("f.lua:%d: %s", c.line, c.message), e.Error(), c.src)
		if c.value != nil {
			assert.Equal(t, c.value, e.Value, c.src)
		}
		assert.NoError(t, e.Cause, c.src)
	}
}

func TestTraceback(t *testing.T) {
	vm := newVM(t, Options{})
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `local function inner(x)
  return x.y.z
end
local t = {}
function t.middle(x)
  local r = inner(x)
  return r
end
local r = ("x"):gsub("x", function(s)
  return t.middle({}) .. s
end)
`))
	assert.Equal(t, []Frame{
		{"f.lua", 2, "function 'inner'"},
		{"f.lua", 6, "function 'middle'"},
		{"f.lua", 10, "function of line 9"},
		{"f.lua", 9, "main chunk"},
	}, runtimeError(t, err).Traceback)
	assert.Equal(t, "f.lua:2: in function 'inner'", runtimeError(t, err).Traceback[0].String())
}

func TestTracebackIsBounded(t *testing.T) {
	vm := newVM(t, Options{})
	for _, src := range []string{
		"local function f(n) return 1 + f(n + 1) end f(1)",
		"local function f(n) if n == 0 then error('end') end return f(n - 1) end local r = f(1e5)",
		"local function f(n) if n == 0 then error('end') end local ok, e = pcall(f, n - 1) error(e, 0) end f(40)",
	} {
		_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, src))
		e := runtimeError(t, err)
		assert.NotEmpty(t, e.Traceback, src)
		assert.LessOrEqual(t, len(e.Traceback), 2*maxFrames, src)
		assert.Equal(t, "main chunk", e.Traceback[len(e.Traceback)-1].Function, src)
	}
}

func TestPanicOfGoCode(t *testing.T) {
	vm := newVM(t, Options{})
	vm.SetGlobal("bug", vm.State().NewFunction(func(*lua.LState) int { panic("a bug") }))
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "local x = 1\nbug()"))
	e := runtimeError(t, err)
	assert.Equal(t, "panic: a bug", e.Message)
	assert.Contains(t, string(e.Stack), "TestPanicOfGoCode")
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "return (pcall(bug))"))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LFalse}, rets)
}

func TestRaise(t *testing.T) {
	refused := errors.New("refused")
	vm := newVM(t, Options{})
	vm.SetGlobal("word", vm.State().NewFunction(func(L *lua.LState) int {
		vm.Raise(L, 1, fmt.Errorf("word: %w", refused))
		return 0
	}))
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "\n\nword()"))
	require.ErrorIs(t, err, refused)
	assert.Equal(t, "f.lua:3: word: refused", err.Error())

	_, err = vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "local ok, e = pcall(word)\nerror('other: ' .. e, 0)"))
	require.Error(t, err)
	assert.NotErrorIs(t, err, refused, "an error that was caught and another raised")
	assert.ErrorContains(t, err, "other: word: refused")
}

func TestNestedCall(t *testing.T) {
	vm := newVM(t, Options{})
	vm.SetGlobal("run", vm.State().NewFunction(func(L *lua.LState) int {
		rets, err := vm.Call(context.Background(), Limits{}, L.CheckFunction(1))
		if err != nil {
			L.Push(lua.LString(err.Error()))
			return 1
		}
		L.Push(rets[0])
		return 1
	}))
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "return run(function() return 5 end), run(function() error('inner') end)"))
	require.NoError(t, err)
	assert.Equal(t, []lua.LValue{lua.LNumber(5), lua.LString("f.lua:1: inner")}, rets)
	_, err = vm.Call(t.Context(), Limits{Time: 10 * time.Millisecond}, load(t, vm, "run(function() while true do end end) return 1"))
	assert.ErrorIs(t, err, ErrTime, "the limits of the outer call hold")
}

// A Go function that waits must be able to heed the end of the call, on whatever goroutine.
func TestContextOfTheCall(t *testing.T) {
	vm := newVM(t, Options{})
	var after context.Context
	vm.SetGlobal("wait", vm.State().NewFunction(func(L *lua.LState) int {
		after = vm.Context()
		done := make(chan struct{})
		go func() {
			defer close(done)
			<-after.Done()
		}()
		<-done
		assert.ErrorIs(t, context.Cause(after), ErrTime)
		assert.ErrorIs(t, L.Context().Err(), ErrTime)
		return 0
	}))
	_, err := vm.Call(t.Context(), Limits{Time: 10 * time.Millisecond}, load(t, vm, "wait()"))
	require.ErrorIs(t, err, ErrTime)

	vm.SetGlobal("keep", vm.State().NewFunction(func(*lua.LState) int { after = vm.Context(); return 0 }))
	_, err = vm.Call(t.Context(), Limits{Time: long}, load(t, vm, "keep()"))
	require.NoError(t, err)
	assert.Error(t, after.Err(), "the context ends with the call")
}

func TestProtoIsShared(t *testing.T) {
	proto, err := Compile([]byte("local n = 0 for i = 1, 1000 do n = n + #('x' .. i) end return n"), "f.lua")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			vm := New(Options{})
			defer vm.Close()
			rets, err := vm.Call(context.Background(), Limits{Time: long}, vm.Load(proto))
			assert.NoError(t, err)
			assert.Equal(t, []lua.LValue{lua.LNumber(3893)}, rets)
		})
	}
	wg.Wait()
}

func TestClosedVM(t *testing.T) {
	vm := New(Options{})
	fn := load(t, vm, "return 1")
	vm.Close()
	vm.Close()
	_, err := vm.Call(t.Context(), Limits{}, fn)
	assert.ErrorIs(t, err, ErrClosed)
}

func TestPrint(t *testing.T) {
	var lines []string
	vm := newVM(t, Options{Print: func(s string) { lines = append(lines, s) }})
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `print() print("a", 1.5, nil, true, setmetatable({}, { __tostring = function() return "me" end })) print("two\nlines")`))
	require.NoError(t, err)
	assert.Equal(t, []string{"", "a\t1.5\tnil\ttrue\tme", "two\nlines"}, lines)
}

func TestEnvironmentAndClock(t *testing.T) {
	now := time.Date(2024, 2, 29, 13, 4, 5, 0, time.UTC)
	vm := newVM(t, Options{
		Getenv: func(name string) (string, bool) { return "value of " + name, name != "NONE" },
		Now:    func() time.Time { now = now.Add(time.Second); return now },
	})
	rets, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `return os.getenv("A"), os.getenv("NONE"), os.time(), os.date("!%F %T"), os.clock(), os.execute, os.exit, os.remove`))
	require.NoError(t, err)
	var got []string
	for _, v := range rets {
		got = append(got, v.String())
	}
	assert.Equal(t, "value of A nil 1709211847 2024-02-29 13:04:08 3 nil nil nil", strings.Join(got, " "))
}
