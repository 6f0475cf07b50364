package vm

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// hook is a hook as people write them.
const hook = `return function(n)
  local last = n.tail[#n.tail] or "no output"
  return ("%s broke (%s). Last line:\n%s"):format(n.name, n.summary, last:sub(1, 80))
end`

func hookArgument(vm *VM) *lua.LTable {
	n, tail := vm.State().NewTable(), vm.State().NewTable()
	tail.Append(lua.LString("listening on :8080"))
	tail.Append(lua.LString("panic: runtime error"))
	n.RawSetString("name", lua.LString("api"))
	n.RawSetString("summary", lua.LString("exit 2"))
	n.RawSetString("tail", tail)
	return n
}

func benchmarkCall(b *testing.B, ctx context.Context, lim Limits, src string) {
	vm := newVM(b, Options{})
	rets, err := vm.Call(ctx, lim, load(b, vm, src))
	require.NoError(b, err)
	fn, arg := rets[0].(*lua.LFunction), hookArgument(vm)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := vm.Call(ctx, lim, fn, arg); err != nil {
			b.Fatal(err)
		}
	}
}

var hookLimits = Limits{Time: 50 * time.Millisecond, Memory: 64 << 20}

func BenchmarkHook(b *testing.B) { benchmarkCall(b, context.Background(), hookLimits, hook) }

func BenchmarkEmptyCall(b *testing.B) {
	benchmarkCall(b, context.Background(), hookLimits, "return function() end")
}

func BenchmarkEmptyCallWithContext(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	benchmarkCall(b, ctx, hookLimits, "return function() end")
}

func BenchmarkEmptyCallWithoutLimits(b *testing.B) {
	benchmarkCall(b, context.Background(), Limits{}, "return function() end")
}

func BenchmarkPcall(b *testing.B) {
	benchmarkCall(b, context.Background(), Limits{Time: time.Minute}, "return function() for i = 1, 100 do pcall(type, 1) end end")
}

func BenchmarkLoop(b *testing.B) {
	benchmarkCall(b, context.Background(), Limits{Time: time.Minute}, "return function() local n = 0 for i = 1, 1000 do n = n + i end return n end")
}

func BenchmarkRunner(b *testing.B) {
	r, err := NewRunner(func() (*VM, error) { return New(Options{}), nil })
	require.NoError(b, err)
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for b.Loop() {
		r.Do(ctx, func(*VM) error { return nil })
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(Options{}).Close()
	}
}

func BenchmarkCompile(b *testing.B) {
	src := []byte(generate(7))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Compile(src, "f.lua")
	}
}
