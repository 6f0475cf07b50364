package vm

import (
	"context"
	"math/rand/v2"
	"time"

	lua "github.com/yuin/gopher-lua"
)

func init() {
	// One store far beyond the end of a list fills it up to there: `t[67108863] = 1` took half a minute and
	// 4 GiB. What is beyond this bound is kept as in a map, and the operator # knows.
	lua.MaxArrayIndex = 100000
}

// Options say what a VM offers beside the language.
type Options struct {
	// Print is given each text that print writes, without a line end; nil drops it.
	Print func(text string)
	// Require finds the source of a module and the chunk name for it; nil: there are no modules.
	Require func(name string) (src []byte, chunk string, err error)
	// Getenv looks up an environment variable for os.getenv; nil: none is set.
	Getenv func(name string) (value string, ok bool)
	// Now is the clock of os.time, os.date and os.clock; nil means time.Now.
	Now func() time.Time
	// Strict makes it an error to read a global that does not exist, and to assign to any.
	Strict bool
}

// VM is one Lua state. It is owned by one goroutine at a time; see Runner.
type VM struct {
	opts    Options
	base    *lua.LState // runs nothing; threads are made from it
	budget  *budget
	running []*lua.LState // nested protected calls, outermost first
	idle    []*lua.LState
	ours    bool // the error that is being raised is worded already
	calling bool
	closed  bool

	words           *lua.LTable // what SetGlobal declared
	chunks          map[string]bool
	modules         map[string]lua.LValue
	stringMetatable *lua.LTable // what getmetatable shows of that of strings
	random          *rand.Rand
	started         time.Time
	settled         uint64 // bytes that the state held when it was last measured after a call
	raised          struct {
		message string
		err     error
	}
}

// New returns a VM with the standard words of Lua 5.1, less those that reach outside.
func New(opts Options) *VM {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	vm := &VM{
		opts:    opts,
		chunks:  map[string]bool{},
		modules: map[string]lua.LValue{},
		started: opts.Now(),
		random:  rand.New(rand.NewPCG(1, 2)), // the same numbers in every run, as in Lua 5.1
	}
	vm.budget = &budget{vm: vm, done: make(chan struct{}), parent: context.Background()}
	vm.base = lua.NewState(lua.Options{
		SkipOpenLibs:     true,
		CallStackSize:    400,
		RegistrySize:     1024,
		RegistryMaxSize:  65536,
		RegistryGrowStep: 4096, // grown in small steps, a large list of arguments takes quadratic time
	})
	vm.base.G.MainThread, vm.base.G.CurrentThread = vm.base, vm.base
	vm.openGlobals()
	vm.openBase()
	vm.openOperators()
	vm.openString()
	vm.openTable()
	vm.openMath()
	vm.openOS()
	return vm
}

// State returns the Lua state, for making tables and functions. Nothing is to be run on it; see Call.
func (vm *VM) State() *lua.LState { return vm.base }

// Close ends the use of the VM.
func (vm *VM) Close() {
	if vm.closed {
		return
	}
	vm.closed = true
	vm.idle = nil
	vm.base.Close()
}

// Load makes a function of a compiled source. The same proto may be loaded into many VMs.
func (vm *VM) Load(proto *lua.FunctionProto) *lua.LFunction {
	vm.chunks[proto.SourceName] = true
	return vm.base.NewFunctionFromProto(proto)
}

// Limits bound one call. Zero is no limit.
type Limits struct {
	Time time.Duration
	// Memory is how many bytes the call may add to what the state holds.
	Memory uint64
}

// Call runs fn in a thread of its own and returns its results. The error is a *RuntimeError, or ErrClosed.
//
// When the time is up, ctx is done or the memory is used up, the call ends before its next instruction;
// functions given to Lua that take long must heed VM.Context. A Call from such a function, inside another
// Call, runs under the limits of the outer one.
func (vm *VM) Call(ctx context.Context, lim Limits, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error) {
	if vm.closed {
		return nil, ErrClosed
	}
	if vm.calling {
		rets, f := vm.protect(fn, args)
		if f != nil && f.stop != nil {
			panic(f) // it is for the outer call to report
		}
		if f != nil {
			return nil, vm.runtimeError(f)
		}
		return rets, nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, &RuntimeError{Message: err.Error(), Cause: err}
	}
	vm.calling = true
	vm.raised.err = nil
	vm.budget.begin(ctx, lim)
	defer func() {
		vm.budget.end()
		vm.calling = false
		vm.settle()
	}()
	rets, f := vm.protect(fn, args)
	if f != nil {
		return nil, vm.runtimeError(f)
	}
	if err := vm.budget.stopped(); err != nil {
		// The last thing it did was a Go function that took too long.
		return nil, &RuntimeError{Message: err.Error(), Cause: err}
	}
	return rets, nil
}

// Context returns the context of the running call, for use on any goroutine. The one that
// lua.LState.Context returns is for the goroutine of the VM alone.
func (vm *VM) Context() context.Context { return vm.budget.forOthers() }

// Raise raises err as a Lua error at the given level, counted as error counts it: 1 is the line that
// called the running function, 0 adds no position. It does not return. If the error reaches Call, its
// RuntimeError wraps err.
func (vm *VM) Raise(L *lua.LState, level int, err error) {
	message := err.Error()
	if level > 0 {
		message = vm.where(L, level) + message
	}
	vm.raised.message, vm.raised.err = message, err
	vm.throw(L, lua.LString(message))
}

// SetGlobal declares a word. No source can overwrite or delete it.
func (vm *VM) SetGlobal(name string, v lua.LValue) { vm.words.RawSetString(name, v) }
