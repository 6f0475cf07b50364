// Package vm runs Lua 5.1 with gopher-lua so that a program means what Lua 5.1 says it means, ends when its
// time or memory is up, and never takes the process down.
//
//	source ── parse ──▶ tree ── cure ──▶ tree ── gopher-lua ──▶ FunctionProto        Compile
//	                                                                  │
//	Runner ── Do ──▶ VM ── Load, Call ──▶ thread ◀── budget (time, memory)            Call
//
// # Meaning
//
// The parser is this package's own: it follows the grammar of Lua 5.1, bounds nesting and size before any
// recursion can exhaust a stack, and has words for what people get wrong. The compiler and the interpreter
// are gopher-lua's. What that compiler gets wrong the pass in cure.go writes in another way; what the
// interpreter gets wrong, or cannot bound, becomes a call of a function of this package: the operators .., #
// and %, arithmetic on strings, and the whole library. Random programs are compared with the reference
// implementation (TestDifferential), which is how the faults were found and how one that a later version
// brings will be.
//
// It is Lua 5.1 less what reaches outside or cannot be bounded: no io, debug, package, coroutine, load and
// kin, setfenv, collectgarbage; of os, what reads the clock and the environment. Known differences: an
// operator's result is never a negative zero; the length of a list with holes, which Lua 5.1 leaves open, may
// be another; calls nest 400 deep, protected calls 100; a string has at most MaxString bytes, and a pattern
// takes a bounded number of steps.
//
// # Ends
//
// Every call runs in a thread of its own, and so does every pcall in it: gopher-lua closes all variables of a
// thread that captured ones when an error is raised, which is right only for a thread that is given up.
//
// A call is over when its time is up, its context is done, or its memory is used up. The interpreter asks
// before each instruction; Go functions that loop ask too. No pcall catches this, and Call returns an error
// for which errors.Is finds ErrTime, ErrMemory or the context's cause. The state stays usable, however often
// that happens. A Go function that does not return cannot be stopped: Runner exists for that.
//
// # Memory
//
// One process has one heap, so that the growth of the heap says nothing about who grew it; and to count what
// instructions allocate is not possible from outside the interpreter. The limit is therefore on what the call
// adds to what the state holds: everything that Lua code can reach, in tables, closures, modules and
// registers. Measuring that takes a walk over the state, so it is done on suspicion only. The suspicion is
// the total that the whole process has allocated since the call began, which grows by at least as much as
// the state does: when it has grown by the limit, the state is measured. If the state holds less, the call
// goes on, and the next look comes when what is left of the limit has been allocated. So a flood is always
// found out, soon after the limit; and what the host allocates beside an innocent call, kept or not, costs
// that call a walk over its small state, and never its life. Garbage is no matter of this limit: the time
// bounds how much of it a call can make, and the collector sees to it.
//
// # What can be relied on
//
// A VM is used by one goroutine at a time. A FunctionProto may be shared. A Runner runs functions one at a
// time, in no particular order among those that wait; one that was given up still runs, alone, until it
// returns. Nothing that was refused has been started.
//
// A word declared with SetGlobal cannot be overwritten, and neither can the operators' functions. The library
// tables are ordinary tables: a program may add to them, and spoil them for itself.
package vm
