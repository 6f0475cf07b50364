package vm

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

const limit = 16 << 20

// busy is a hook that does much and holds nothing.
const busy = `local n = 0
for i = 1, 20000 do
  local t = { i, tostring(i) .. "x" }
  n = n + #t[2]
end
return n`

func TestCallIsStoppedByMemory(t *testing.T) {
	vm := newVM(t, Options{})
	_, err := vm.Call(t.Context(), Limits{Time: long, Memory: limit}, load(t, vm, `
local t, s = {}, ("x"):rep(1e5)
while true do
  pcall(function() t[#t + 1] = s .. #t end)
end`))
	require.ErrorIs(t, err, ErrMemory)
	assert.NotZero(t, runtimeError(t, err).Line)
	_, err = vm.Call(t.Context(), Limits{Time: long, Memory: limit}, load(t, vm, busy))
	assert.NoError(t, err, "what the flood held was let go")
}

// What a call throws away is not what it holds.
func TestGarbageIsNotHeld(t *testing.T) {
	vm := newVM(t, Options{})
	_, err := vm.Call(t.Context(), Limits{Time: long, Memory: limit}, load(t, vm, `
local s = ("x"):rep(1e5)
for i = 1, 2000 do local x = s .. i end`)) // 200 MB
	assert.NoError(t, err)
}

var sink atomic.Pointer[[]byte]

// While a hook runs the host may allocate what it likes, and even keep it.
func TestHostAllocationsAreNotTheCalls(t *testing.T) {
	for _, c := range []struct {
		name string
		keep int
	}{{"garbage", 1}, {"kept", 200}} {
		t.Run(c.name, func(t *testing.T) {
			vm := newVM(t, Options{})
			fn := load(t, vm, busy)
			stop, done := make(chan struct{}), make(chan struct{})
			var allocated atomic.Int64
			go func() {
				defer close(done)
				kept := make([][]byte, c.keep)
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					b := make([]byte, 1<<20)
					kept[i%c.keep] = b
					sink.Store(&b)
					allocated.Add(1 << 20)
				}
			}()
			for allocated.Load() < 400<<20 {
				_, err := vm.Call(t.Context(), Limits{Time: long, Memory: limit}, fn)
				require.NoError(t, err)
			}
			close(stop)
			<-done
		})
	}
}

// A flood is found out while the host allocates, too.
func TestFloodAmongHostAllocations(t *testing.T) {
	vm := newVM(t, Options{})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				b := make([]byte, 1<<20)
				sink.Store(&b)
			}
		}
	}()
	_, err := vm.Call(t.Context(), Limits{Time: long, Memory: limit}, load(t, vm, `local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end`))
	close(stop)
	<-done
	assert.ErrorIs(t, err, ErrMemory)
}

// The limit is for what a call adds. A recipe that holds much from its loading on has hooks that run.
func TestMemoryIsCountedFromWhatTheStateHolds(t *testing.T) {
	vm := newVM(t, Options{})
	_, err := vm.Call(t.Context(), Limits{Time: long, Memory: 4 * limit}, load(t, vm, `
big = {}
for i = 1, 300 do big[i] = ("x"):rep(1e5) .. i end -- 30 MB`))
	require.NoError(t, err)
	assert.Greater(t, vm.settled, uint64(29e6))
	churn := load(t, vm, `local s = ("y"):rep(1e5) for i = 1, 1000 do local x = s .. i end`)
	_, err = vm.Call(t.Context(), Limits{Time: long, Memory: limit}, churn)
	assert.NoError(t, err)
	grow := load(t, vm, `local s = ("y"):rep(1e5) for i = 1, 1000 do big[#big + 1] = s .. i end`)
	_, err = vm.Call(t.Context(), Limits{Time: long, Memory: limit}, grow)
	assert.ErrorIs(t, err, ErrMemory)
}

func TestHeldCountsAll(t *testing.T) {
	for _, c := range []struct {
		name, src string
		at, most  uint64
	}{
		{"strings", `x = {} for i = 1, 10 do x[i] = ("x"):rep(1e5) .. i end`, 1e6, 1.01e6},
		{"a shared string", `x = {} local s = ("x"):rep(1e5) for i = 1, 10 do x[i] = s end`, 1e5, 1.02e5},
		{"keys", `x = {} for i = 1, 10 do x[("x"):rep(1e5) .. i] = true end`, 1e6, 1.01e6},
		{"a closure", `local s = ("x"):rep(1e5) x = function() return s end`, 1e5, 1.01e5},
		{"a metatable", `x = setmetatable({}, { s = ("x"):rep(1e5) })`, 1e5, 1.01e5},
		{"room of a list", `x = {} x[99999] = 1 x[99999] = nil`, 1.6e6, 3.3e6},
		{"fields that were removed", `x = {} for i = 1, 1000 do x["k" .. i] = 1 end for k in pairs(x) do x[k] = nil end`, 1.1e5, 1.3e5},
		{"a cycle", `x = { ("x"):rep(1e5) } x.x = x setmetatable(x, x)`, 1e5, 1.01e5},
		{"the library", `string.x = ("x"):rep(1e5)`, 1e5, 1.01e5},
		{"a long chain", `for i = 1, 1e5 do x = { x } end`, 1.3e7, 7e7},
	} {
		vm := newVM(t, Options{})
		before := vm.held(1 << 62)
		_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, c.src))
		require.NoError(t, err, c.name)
		got := vm.held(1<<62) - before
		assert.GreaterOrEqual(t, got, c.at, c.name)
		assert.LessOrEqual(t, got, c.most, c.name)
	}
}

// Values that are only in registers are held, those of functions with a variable number of arguments too.
func TestHeldCountsRegisters(t *testing.T) {
	vm := newVM(t, Options{})
	var held uint64
	vm.SetGlobal("measure", vm.State().NewFunction(func(*lua.LState) int { held = vm.held(1 << 62); return 0 }))
	before := vm.held(1 << 62)
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `
local s = ("x"):rep(1e5)
local function f(...) local a, t = s .. "a", { s .. "b" } pcall(function(x) measure() return x, a, t end, s .. "c") end
f(s .. "d", { s .. "e" })`))
	require.NoError(t, err)
	assert.InDelta(t, 6e5, held-before, 1.2e5)
}

func TestModulesAreHeld(t *testing.T) {
	vm := newVM(t, Options{Require: func(string) ([]byte, string, error) {
		return []byte(`return { s = ("x"):rep(1e5) }`), "m.lua", nil
	}})
	before := vm.held(1 << 62)
	_, err := vm.Call(t.Context(), Limits{Time: long}, load(t, vm, `require "m"`))
	require.NoError(t, err)
	assert.InDelta(t, 1e5, vm.held(1<<62)-before, 1e4)
}

func BenchmarkHeld(b *testing.B) {
	vm := newVM(b, Options{})
	_, err := vm.Call(b.Context(), Limits{Time: time.Minute}, load(b, vm, `x = {} for i = 1, 1e5 do x[i] = { i, "k" .. i } end`))
	require.NoError(b, err)
	for b.Loop() {
		vm.held(1 << 62)
	}
}
