package vm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// hostileChunk is a program that wants more than it may have, and how it has to end: one of the words that
// outcome gives.
type hostileChunk struct {
	name, src string
	ends      string
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

var hostile = []hostileChunk{
	{"endless while", `while true do end`, "time"},
	{"endless repeat", `repeat until false`, "time"},
	{"endless for", `for i = 1, math.huge do end`, "time"},
	{"for with step 0", `for i = 2, 1, 0 do end`, "time"},
	{"endless generic for", `for _ in function() return 1 end do end`, "time"},
	{"pcall around an endless loop", `return pcall(function() while true do end end)`, "time"},
	{"loop of pcall around an endless loop", `while true do pcall(function() while true do end end) end`, "time"},
	{"nested pcall loops", `local function f() while true do pcall(f) end end f()`, "time"},
	{"xpcall with a looping handler", `xpcall(error, function() while true do end end)`, "time"},
	{"xpcall with a failing handler", `while true do xpcall(error, error) end`, "time"},
	{"handler that swallows the timeout", `while true do xpcall(function() while true do end end, function() return 1 end) end`, "time"},
	{"pcall storm", `while true do pcall(error) end`, "time"},
	{"pcall storm of many errors", `while true do for i = 1, 100 do pcall(error, { i }) end end`, "time"},
	{"pcall recursion", `local function f() return pcall(f) end while true do f() end`, "time"},
	{"pcall recursion that fails at the bottom", `local function f() pcall(f) error("x") end f()`, "error time"},
	{"pcall tree", `local function f() pcall(f) pcall(f) end f()`, "time"},
	{"error in __tostring of an error", `error(setmetatable({}, { __tostring = function() error("again") end }))`, "error"},
	{"endless __tostring of an error", `error(setmetatable({}, { __tostring = function() while true do end end }))`, "error time"},
	{"tail calls", `local function f() return f() end f()`, "time"},
	{"tail calls that fail", `local function f(n) if n == 0 then error("end") end return f(n - 1) end f(1e5)`, "error time"},
	{"tail calls inside pcall", `local function f(n) if n == 0 then error("end") end return f(n - 1) end while true do pcall(f, 1e4) end`, "time"},
	{"mutual tail calls", `local f, g function f() return g() end function g() return f() end f()`, "time"},
	{"recursion", `local function f() return 1 + f() end f()`, "error"},
	{"recursion in a loop of pcall", `local function f() return 1 + f() end while true do pcall(f) end`, "time"},
	{"recursion with many registers", `local function f(...) local a = { f(1, 2, 3, ...) } end f()`, "error time"},
	{"recursion by __index", `local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) return t.a`, "error"},
	{"recursion by __newindex", `local t = setmetatable({}, { __newindex = function(t, k, v) t[k] = v end }) t.a = 1`, "error"},
	{"recursion by __call", `local t = setmetatable({}, {}) getmetatable(t).__call = function() return 1 + t() end t()`, "error"},
	{"recursion by __add", `local t = setmetatable({}, { __add = function(a, b) return a + b + 1 end }) return t + 1`, "error"},
	{"recursion by __concat", `local t = setmetatable({}, { __concat = function(a, b) return a .. b end }) return t .. "x"`, "error"},
	{"recursion by __eq", `local m = { __eq = function(a, b) return a == b end } return setmetatable({}, m) == setmetatable({}, m)`, "error"},
	{"recursion by __lt", `local m = { __lt = function(a, b) return a < b end } return setmetatable({}, m) < setmetatable({}, m)`, "error"},
	{"recursion by __tostring", `local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) tostring(t)`, "error"},
	{"recursion by __tostring and print", `local t = setmetatable({}, { __tostring = function(t) print(t) return "" end }) print(t)`, "error"},
	{"recursion by gsub", `local function f() return (("x"):gsub("x", f)) end f()`, "error"},
	{"recursion by sort", `local function f(a, b) table.sort({ 1, 2, 3 }, f) return a < b end f(1, 2)`, "error"},
	{"recursion by metamethods and pcall", `local t; t = setmetatable({}, { __index = function(t, k) pcall(function() return t[k] end) return t[k] end }) return t.x`, "error time"},
	{"__index loop", `local a, b = {}, {} setmetatable(a, { __index = b }) setmetatable(b, { __index = a }) return a.x`, "error"},
	{"__newindex loop", `local a, b = {}, {} setmetatable(a, { __newindex = b }) setmetatable(b, { __newindex = a }) a.x = 1`, "error"},
	{"doubling a string", `local s = "x" while true do s = s .. s end`, "error"},
	{"doubling a string in pcall", `local s = "x" while true do pcall(function() s = s .. s end) end`, "time"},
	{"many large strings", `local t, s = {}, ("x"):rep(2^19) while true do t[#t + 1] = s .. #t end`, "memory"},
	{"many large strings in pcall", `local t, s = {}, ("x"):rep(2^19) while true do pcall(function() t[#t + 1] = s .. #t end) end`, "memory"},
	{"large strings as garbage", `local s = ("x"):rep(2^19) while true do local x = s .. "y" end`, "time"},
	{"large strings as arguments", `local s = ("x"):rep(2^19) local function f(...) return f(s .. select("#", ...), ...) end f()`, "memory error"},
	{"large strings in closures", `local s, f = ("x"):rep(2^19) while true do local x, g = s .. "y", f f = function() return x, g end end`, "memory"},
	{"rep of 1e10", `("x"):rep(1e10)`, "error"},
	{"rep of 1e15", `("x"):rep(1e15)`, "error"},
	{"rep of infinity", `("x"):rep(math.huge)`, "error"},
	{"rep of a long string", `("x"):rep(1e6):rep(1e6)`, "error"},
	{"concat of a list", `local t, s = {}, ("x"):rep(1e5) for i = 1, 1000 do t[i] = s end table.concat(t, s)`, "error"},
	{"concat with far bounds", `table.concat({}, "", 1, 1e15)`, "error"},
	{"unpack of 1e6", `unpack({}, 1, 1e6)`, "error"},
	{"unpack with far bounds", `unpack({}, -2^53, 2^53)`, "error"},
	{"byte of a long string", `("x"):rep(1e6):byte(1, -1)`, "error"},
	{"format with a wide field", `("%999999999d"):format(1)`, "error"},
	{"format of long strings", `local s = ("x"):rep(5e5) s.format("%s%s%s", s, s, s)`, "error"},
	{"upper of long strings", `local s = ("x"):rep(1e6) while true do s:upper() end`, "time"},
	{"reverse of long strings", `local s = ("x"):rep(1e6) while true do s:reverse() end`, "time"},
	{"pattern of lazy items", `("x"):rep(300):find(".-.-.-b")`, "pattern"},
	{"pattern of greedy items", `("a"):rep(100):find("a*a*a*a*b")`, "pattern"},
	{"pattern over a long string", `("x"):rep(2e5):find(".-b")`, "pattern"},
	{"pattern with many captures", `("x"):rep(1000):match("(.-)(.-)(.-)(.-)b")`, "pattern"},
	{"pattern that recurses", `("x"):rep(1e5):find(("x?"):rep(1e5))`, "pattern"},
	{"pattern of balanced items", `("("):rep(1e5):find("%b()%b()")`, "ok pattern"},
	{"pattern with a large set", `("x"):rep(1e5):find("[" .. ("a"):rep(1e5) .. "]b")`, "pattern"},
	{"pattern bombs in pcall", `while true do pcall(string.find, ("x"):rep(300), ".-.-.-b") end`, "time"},
	{"match bombs in gmatch", `for _ in ("x"):rep(3000):gmatch(".-.-.-b") do end`, "pattern"},
	{"gsub that grows", `local s = "x" while true do s = s:gsub(".", "%0%0") end`, "error"},
	{"gsub with a long replacement", `("x"):rep(1e6):gsub(".", ("y"):rep(1e6))`, "error"},
	{"gsub with a looping function", `("x"):rep(10):gsub(".", function() while true do end end)`, "time"},
	{"gsub of a pattern bomb", `("x"):rep(2000):gsub(".-.-.-b", "")`, "pattern"},
	{"index far beyond a list", `local t = {} t[67108863] = 1 t[2^53] = 1`, "ok"},
	{"many lists with one far index", `local l = {} while true do local t = {} t[99999] = 1 l[#l + 1] = t end`, "memory"},
	{"lists with one far index as garbage", `while true do local t = {} t[99999] = 1 end`, "time"},
	{"insert far beyond a list", `table.insert({}, 6e7, 1)`, "ok"},
	{"insert before a list", `local t = {} while true do table.insert(t, 1, 1) end`, "time"},
	{"insert with a far position", `table.insert({}, -1e15, 1)`, "time"},
	{"remove from a long list", `local t = {} for i = 1, 3e4 do t[i] = i end while true do table.remove(t, 1) t[#t + 1] = 1 end`, "time"},
	{"list that grows", `local t = {} while true do t[#t + 1] = {} end`, "memory"},
	{"fields that grow", `local t, i = {}, 0 while true do i = i + 1 t["k" .. i] = i end`, "memory"},
	{"fields that come and go", `local t, i = {}, 0 while true do i = i + 1 t[i + 0.5] = 1 t[i + 0.5] = nil end`, "memory"},
	{"linked list", `local l while true do l = { l } end`, "memory"},
	{"closures that grow", `local t = {} while true do local x = #t t[#t + 1] = function() return x end end`, "memory"},
	{"tables as keys", `local t = {} while true do t[{}] = {} end`, "memory"},
	{"globals that grow", `local i = 0 while true do i = i + 1 _G["g" .. i] = ("x"):rep(1000) .. i end`, "memory"},
	{"strings in the library", `while true do string[#string + 1] = ("x"):rep(2^19) .. "y" end`, "memory"},
	{"sort with an inconsistent order", `local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() return true end)`, "error"},
	{"sort with a random order", `local t = {} for i = 1, 3e4 do t[i] = i end while true do pcall(table.sort, t, function() return math.random() < 0.5 end) end`, "time"},
	{"sort of a long list", `local t = {} for i = 1, 3e4 do t[i] = -i end while true do table.sort(t) table.sort(t, function(a, b) return a > b end) end`, "time"},
	{"sort that changes its list", `local t = { 3, 2, 1 } table.sort(t, function(a, b) for i = 1, 100 do t[i] = math.random() end return a < b end)`, "ok error"},
	{"sort with a far length", `local t = {} t[99999] = 1 table.sort(t)`, "error"},
	{"next over removed fields", `local t = {} for i = 1, 1e4 do t["k" .. i] = 1 end for k in pairs(t) do t[k] = nil end while true do next(t) end`, "time"},
	{"foreach that never ends", `table.foreach({ 1 }, function() while true do end end)`, "time"},
	{"print of long strings", `local s = ("x"):rep(1e6) while true do print(s) end`, "time"},
	{"tostring of everything", `while true do tostring({}) tostring(print) tostring(1/3) end`, "time"},
	{"tonumber of long strings", `local s = ("1"):rep(1e6) while true do tonumber(s) end`, "time"},
	{"require of itself", `require "bomb"`, "error"},
	{"arguments by the thousand", `local function f(...) return select("#", ...) end local t = {} for i = 1, 8000 do t[i] = i end while true do f(unpack(t)) end`, "time"},
	{"varargs that double", `local function f(...) return f(..., ...) end f(1, 2)`, "time error"},
	{"varargs that grow", `local function f(...) return f(1, ...) end f()`, "error time"},
	{"assignment to words", `_G.print = nil`, "error"},
	{"metatable of strings", `getmetatable("").__index = nil`, "error"},
	{"metatable of strings, arithmetic", `getmetatable("").__add = function() return 1 end`, "error"},
	{"setmetatable of a string", `setmetatable("", {})`, "error"},
	{"metatable of _G", `setmetatable(_G, {})`, "error"},
	{"metatable of the metatable of strings", `setmetatable(getmetatable(""), {})`, "error"},
	{"operators out of reach", `_G["(..)"] = nil`, "error"},
	{"random of nothing", `math.random(0)`, "error"},
	{"random of infinity", `math.random(math.huge)`, "ok"},
	{"date with a long format", `os.date(("%c"):rep(1e5))`, "error"},
	{"time of nonsense", `os.time({ year = 1e300, month = -1e300, day = 0/0 })`, "ok error"},
	{"parentheses by the million", rep("(", 100000), "syntax"},
	{"tables in tables", "return " + rep("{", 100000), "syntax"},
	{"not not not", "return " + rep("not ", 60000) + "1", "syntax"},
	{"minus minus minus", "return " + rep("- ", 100000) + "1", "syntax"},
	{"powers", "return " + rep("1^", 100000) + "1", "syntax"},
	{"concatenations", "return " + rep("'x'..", 40000) + "'x'", "syntax"},
	{"sums", "return " + rep("1+", 100000) + "1", "syntax"},
	{"indexes", "return x" + rep(".x", 100000), "syntax"},
	{"calls", "return x" + rep("()", 100000), "syntax"},
	{"nested ifs", rep("if x then ", 20000), "syntax"},
	{"nested functions", rep("function f() ", 15000), "syntax"},
	{"nested blocks", rep("do ", 80000), "syntax"},
	{"elseifs", "if x then " + rep("elseif x then ", 15000) + "end", "syntax"},
	{"functions", rep("f(function() end)", 15000), "syntax"},
	{"locals", "local " + rep("a,", 60000) + "a", "syntax"},
	{"assignment to many", rep("a,", 60000) + "a = 1", "syntax"},
	{"arguments", "f(" + rep("1,", 100000) + "1)", "syntax"},
	{"distinct constants", "return { " + manyNumbers(40000) + " }", "syntax"},
	{"a huge source", rep("x = 1\n", 100000), "syntax"},
	{"a huge string", `return "` + rep("x", 200000) + `"`, "ok"},
	{"a huge comment", "--[[" + rep("x\n", 100000) + "]]", "ok"},
	{"an open comment", "--[==[" + rep("]=]\n", 60000), "syntax"},
	{"a huge list", "return { " + rep("1,", 100000) + " }", "ok"},
	{"a huge list of lists", "return { " + rep("{1},", 60000) + " }", "ok memory"},
	{"statements", "local x " + rep("x = x ", 40000), "ok"},
}

func manyNumbers(n int) string {
	var b []byte
	for i := range n {
		b = append(strconv.AppendInt(b, int64(i), 10), ',')
	}
	return string(b)
}

// outcome is one word for how a chunk ended.
func outcome(err error) string {
	var syntax *SyntaxError
	var runtime *RuntimeError
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrTime):
		return "time"
	case errors.Is(err, ErrMemory):
		return "memory"
	case errors.Is(err, ErrPattern):
		return "pattern"
	case errors.As(err, &syntax):
		return "syntax"
	case errors.As(err, &runtime) && runtime.Stack != nil:
		return "panic"
	case errors.As(err, &runtime):
		return "error"
	}
	return "strange"
}

// report is what a child tells of its chunk.
type report struct {
	Outcome string
	Error   string
	Took    time.Duration
	Usable  bool // the VM answered a sane call afterwards
}

const (
	hostileVariable = "PROCHOST_TEST_HOSTILE"
	hostileTime     = 50 * time.Millisecond
	hostileMemory   = 8 << 20
)

// runHostile is the child: it runs one chunk the way a host does, and reports on standard output.
func runHostile(name string) {
	var chunk hostileChunk
	for _, c := range hostile {
		if c.name == name {
			chunk = c
		}
	}
	boundMemory()
	vm := New(Options{
		Print: func(string) {},
		Require: func(name string) ([]byte, string, error) {
			return []byte(`require "` + name + `"`), name, nil
		},
	})
	lim := Limits{Time: 30 * time.Second, Memory: hostileMemory}
	if strings.Contains(chunk.ends, "time") {
		lim.Time = hostileTime
	}
	begin := time.Now()
	proto, err := Compile([]byte(chunk.src), "bomb")
	if err == nil {
		_, err = vm.Call(context.Background(), lim, vm.Load(proto))
	}
	r := report{Outcome: outcome(err), Took: time.Since(begin)}
	if err != nil {
		r.Error = err.Error()
	}
	sane, err := Compile([]byte(`local t = {} for i = 1, 10 do t[i] = ("x"):rep(i) end return #table.concat(t) + select("#", ("a b"):gsub("%s", print))`), "sane")
	if err == nil {
		rets, err := vm.Call(context.Background(), Limits{Time: 10 * time.Second, Memory: hostileMemory}, vm.Load(sane))
		r.Usable = err == nil && len(rets) == 1 && rets[0].String() == "57"
	}
	json.NewEncoder(os.Stdout).Encode(r)
}

// TestHostile runs each chunk in a process of its own, with bounds on its memory and time.
func TestHostile(t *testing.T) {
	names := map[string]bool{}
	for n, chunk := range hostile {
		require.False(t, names[chunk.name], "two chunks are called %q", chunk.name)
		names[chunk.name] = true
		if n%hostileEvery != 0 {
			continue
		}
		t.Run(chunk.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
			// At its end the race detector would wait a second for reports.
			cmd.Env = append(os.Environ(), hostileVariable+"="+chunk.name, "GORACE=atexit_sleep_ms=0")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, "%s", firstLines(stderr.String()))
			var r report
			require.NoError(t, json.Unmarshal(out, &r), "%s", out)
			assert.Contains(t, strings.Fields(chunk.ends), r.Outcome, r.Error)
			assert.True(t, r.Usable, "the VM does not answer afterwards")
			// Processor time, so that a loaded machine fails no test.
			assert.Less(t, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), mostCPU)
			rss := peakRSS(cmd.ProcessState.SysUsage().(*syscall.Rusage))
			assert.Less(t, rss, int64(mostRSS), "peak of resident memory")
			if testing.Verbose() {
				t.Logf("%s after %v, %d MiB: %s", r.Outcome, r.Took.Round(time.Millisecond), rss>>20, r.Error)
			}
		})
	}
}

func firstLines(s string) string { return s[:min(len(s), 500)] }

func TestMain(m *testing.M) {
	if name := os.Getenv(hostileVariable); name != "" {
		runHostile(name)
		return
	}
	goleak.VerifyTestMain(m)
}
