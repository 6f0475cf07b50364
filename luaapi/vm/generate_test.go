package vm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Zero is added to numbers before they are written: gopher-lua loses the sign of a negative zero when it stores
// the result of an operator, and Lua 5.1 takes the constants 0 and -0 of a function for one. Nothing is divided by zero: the sign of a NaN is not the same everywhere.

// prelude is put before every generated program, on one line so that the program begins on line 2.
const prelude = `local fuel = 30; ` +
	`local function burn() fuel = fuel - 1; if fuel < 0 then error("user: no fuel", 0) end end; ` +
	`local function z(v) return v + 0 end; local function show(v) local t = type(v); if t == "number" then if v ~= v then return "nan" end return tostring(v + 0) ` +
	`elseif t == "string" then return string.format("%q", v) elseif t == "boolean" or t == "nil" then return tostring(v) else return t end end; ` +
	`local function shows(...) local s = "(" .. select("#", ...) .. ")"; for i = 1, select("#", ...) do s = s .. " " .. show((select(i, ...))) end return s end; ` +
	`local function why(e) if type(e) ~= "string" then return shows(e) end if e:find("user", 1, true) then return e end ` +
	`return (e:match("^p:%d+:") or "-") .. " engine" end; ` +
	`local function cut(s) return #s > 50 and s:sub(1, 50) or s end; ` +
	`local function list(t) local s, i = "{", 1; while t[i] ~= nil do s = s .. (i > 1 and "," or "") .. show(t[i]); i = i + 1 end return s .. "}" end; ` +
	`local function keys(t) local k = {}; for n in pairs(t) do k[#k + 1] = tostring(n) .. "=" .. show(t[n]) end table.sort(k); return table.concat(k, ";") end; ` +
	`local function main(...)`

const epilogue = `end; do local ok, e = pcall(main, 1, "two", nil); if not ok then print("main", why(e)) end end`

// The kinds of values that variables hold.
type valueSort uint8

const (
	num valueSort = iota
	str
	boolean
	lst // a list of numbers without holes
	tab // a table with the fields x and y, numbers
	fun // a function that takes up to two numbers and returns any number of numbers
	obj // a table with metamethods and the field v, a number
	numSorts
)

type variable struct {
	name string
	sort valueSort
}

// generator writes random programs that end, that are right in what they do with types most of the time,
// and that are rich in what compilers get wrong.
type generator struct {
	r       *rand.Rand
	b       strings.Builder
	vars    []variable
	depth   int // of statements
	loops   int // enclosing loops of the current function
	names   int
	vararg  bool
	inFunc  int
	pending int // statements left to write
}

func generate(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 20)), vararg: true, pending: 50}
	g.line(prelude)
	g.object()
	for range 5 {
		g.declare()
	}
	g.block(6 + g.r.IntN(9))
	for _, v := range g.vars {
		g.print(v)
	}
	g.line(epilogue)
	return g.b.String()
}

func (g *generator) line(s string) { g.b.WriteString(s + "\n") }

func (g *generator) linef(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *generator) n(n int) int { return g.r.IntN(n) }

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.r.IntN(len(list))] }

// fresh returns a new name; now and then an old one, which hides a variable.
func (g *generator) fresh() string {
	if len(g.vars) > 0 && g.chance(15) {
		if v := pick(g, g.vars...); !strings.HasPrefix(v.name, "g") {
			return v.name
		}
	}
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// find returns a variable of a sort that is visible under its name.
func (g *generator) find(s valueSort) (string, bool) {
	var names []string
	seen := map[string]bool{}
	for i := len(g.vars) - 1; i >= 0; i-- {
		v := g.vars[i]
		if !seen[v.name] && v.sort == s {
			names = append(names, v.name)
		}
		seen[v.name] = true
	}
	if len(names) == 0 {
		return "", false
	}
	return pick(g, names...), true
}

func (g *generator) print(v variable) {
	name, ok := v.name, false
	for i := len(g.vars) - 1; i >= 0; i-- {
		if g.vars[i].name == name {
			ok = g.vars[i] == v
			break
		}
	}
	if !ok {
		return
	}
	switch v.sort {
	case lst:
		g.linef("print(%q, list(%s))", name, name)
	case tab:
		g.linef("print(%q, keys(%s))", name, name)
	case obj:
		g.linef("print(%q, show(%s.v))", name, name)
	case fun:
		g.linef("do local r, e = pcall(function() return shows(%s(3, 4)) end) print(%q, r and e or why(e)) end", name, name)
	default:
		g.linef("print(%q, show(%s))", name, name)
	}
}

// object defines the class of the objects.
func (g *generator) object() {
	g.line("local O = {}; O.__index = O")
	g.line("local function new(v) return setmetatable({ v = v }, O) end")
	g.line("local function val(a) return type(a) == 'table' and a.v or tonumber(a) or 0 end")
	for _, op := range [][2]string{{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"mod", "%"}} {
		g.linef("O.__%s = function(a, b) burn() return new(val(a) %s val(b)) end", op[0], op[1])
	}
	g.line("O.__unm = function(a) return new(-a.v) end; O.__concat = function(a, b) return (type(a) == 'table' and 'o' .. a.v + 0 or a) .. '|' .. (type(b) == 'table' and 'o' .. b.v + 0 or b) end")
	g.line("O.__eq = function(a, b) return a.v == b.v end; O.__lt = function(a, b) return a.v < b.v end; O.__le = function(a, b) return a.v <= b.v end")
	g.line("O.__call = function(self, a, b) burn() return self.v, a, b end; O.__tostring = function(a) return 'obj ' .. a.v + 0 end")
	g.line("function O:get(d) return self.v + (d or 0) end function O.set(self, v) self.v = v return self end")
}

func (g *generator) expr(s valueSort, depth int) string {
	switch s {
	case num:
		return g.num(depth)
	case str:
		return "cut(" + g.str(depth) + ")"
	case boolean:
		return g.cond(depth)
	case lst:
		if v, ok := g.find(lst); ok && g.chance(40) {
			return v
		}
		return g.listLiteral(depth)
	case tab:
		if v, ok := g.find(tab); ok && g.chance(40) {
			return v
		}
		if g.chance(8) {
			return g.mixedTable(depth)
		}
		return fmt.Sprintf("{ x = %s, y = %s }", g.num(depth-1), g.num(depth-1))
	case fun:
		if v, ok := g.find(fun); ok && g.chance(40) {
			return v
		}
		return g.functionLiteral()
	default:
		return g.obj(depth)
	}
}

func (g *generator) obj(depth int) string {
	if v, ok := g.find(obj); ok && (depth <= 0 || g.chance(60)) {
		return v
	}
	if depth <= 0 || g.chance(40) {
		return "new(" + g.num(0) + ")"
	}
	switch g.n(4) {
	case 0:
		return "(-" + g.obj(depth-1) + ")"
	case 1:
		return "(" + g.num(depth-1) + " " + pick(g, "+", "-", "*") + " " + g.obj(depth-1) + ")"
	case 2:
		return "(" + g.obj(depth-1) + " + " + pick(g, "'7'", "1", g.obj(0)) + ")"
	}
	return g.obj(0) + ":set(" + g.num(depth-1) + ")"
}

func (g *generator) listLiteral(depth int) string {
	n := g.n(5)
	if g.chance(3) {
		n = 48 + g.n(6)
	}
	parts := make([]string, 0, n+1)
	for range n {
		d := depth - 1
		if n > 10 {
			d = 0
		}
		parts = append(parts, g.num(d))
	}
	if g.chance(20) {
		parts = append(parts, g.multi(depth-1))
	}
	return "{ " + strings.Join(parts, pick(g, ", ", "; ")) + " }"
}

// mixedTable returns a table with list items and fields among each other, about as many as the compiler stores
// at a time.
func (g *generator) mixedTable(depth int) string {
	parts := []string{}
	for range pick(g, 0, 1, 48, 49, 50, 51, 99, 100, 101) {
		parts = append(parts, g.num(0))
	}
	for _, field := range []string{"x", "y", "[-7]", "['k']"} {
		i := g.n(len(parts) + 1)
		if g.chance(50) {
			i = len(parts)
		}
		parts = slices.Insert(parts, i, field+" = "+g.num(depth-1))
	}
	if g.chance(50) {
		parts = append(parts, g.multi(depth-1))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// multi returns an expression that yields any number of numbers, none of them nil.
func (g *generator) multi(depth int) string {
	if f, ok := g.find(fun); ok && g.chance(60) {
		return fmt.Sprintf("%s(%s)", f, g.args(depth))
	}
	if l, ok := g.find(lst); ok && g.chance(60) {
		return "unpack(" + l + ")"
	}
	return "(" + g.num(0) + ")"
}

func (g *generator) args(depth int) string {
	n := g.n(4)
	parts := make([]string, 0, n)
	for i := range n {
		if i == n-1 && depth > 0 && g.chance(30) {
			parts = append(parts, g.multi(depth-1))
			continue
		}
		parts = append(parts, g.num(depth-1))
	}
	return strings.Join(parts, ", ")
}

func (g *generator) literal() string {
	switch g.n(12) {
	case 0:
		return pick(g, "0.5", "2.25", "1e3", "0x1F", ".5", "3.", "1e-2", "010", "0007", "12345678")
	case 1:
		return pick(g, "(-3)", "(-1)", "- 2", "1/3", "7 % 3", "2 ^ 3")
	}
	return fmt.Sprint(1 + g.n(9))
}

func (g *generator) num(depth int) string {
	if depth <= 0 || g.chance(25) {
		if v, ok := g.find(num); ok && g.chance(75) {
			return v
		}
		return g.literal()
	}
	switch g.n(20) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("%s %s %s", g.operand(depth), pick(g, "+", "-", "*"), g.operand(depth))
	case 4:
		y := g.num(0)
		return fmt.Sprintf("%s %s ((%s) * (%s) + 1)", g.operand(depth), pick(g, "%", "/", "%"), y, y)
	case 5:
		return "-" + g.operand(depth)
	case 6:
		if l, ok := g.find(lst); ok {
			return fmt.Sprintf("(%s[%s] or %s)", l, g.num(depth-1), g.num(depth-1))
		}
	case 7:
		if l, ok := g.find(lst); ok {
			return "#" + l
		}
	case 8:
		if t, ok := g.find(tab); ok {
			return pick(g, t+".x", t+".y", t+"['x']", "("+t+".z or "+g.num(depth-1)+")")
		}
	case 9, 10:
		if f, ok := g.find(fun); ok {
			return fmt.Sprintf("(%s(%s) or %s)", f, g.args(depth), g.num(depth-1))
		}
	case 11:
		return fmt.Sprintf("(%s and %s or %s)", g.cond(depth-1), g.num(depth-1), g.num(depth-1))
	case 12:
		return fmt.Sprintf("(%s or %s)", pick(g, "nil", "false", g.num(depth-1), "nil and 1"), g.num(depth-1))
	case 13:
		return pick(g, g.obj(depth-1)+".v", g.obj(depth-1)+":get("+g.num(depth-1)+")", "("+g.obj(0)+"("+g.args(depth)+"))")
	case 14:
		return pick(g, "select('#', "+g.multi(depth-1)+")", "math.floor("+g.num(depth-1)+")", "math.max("+g.num(depth-1)+", "+g.multi(depth-1)+")",
			"#"+g.strOperand(depth), "math.fmod("+g.num(depth-1)+", 7)", "(tonumber("+g.str(depth-1)+") or 3)", "('1"+fmt.Sprint(g.n(9))+"' + "+g.operand(depth)+")")
	case 15:
		if g.vararg {
			return pick(g, "select('#', ...)", "((...) or 1)", "(tonumber((select(1, ...))) or 5)")
		}
	case 16:
		return fmt.Sprintf("(%s)(%s)", g.functionLiteral(), g.args(depth)) + " or 2"
	}
	return "(" + g.num(depth-1) + ")"
}

func (g *generator) operand(depth int) string {
	s := g.num(depth - 1)
	if strings.ContainsAny(s, " -") {
		return "(" + s + ")"
	}
	return s
}

func (g *generator) strOperand(depth int) string {
	s := g.str(depth - 1)
	if strings.ContainsAny(s, " ") {
		return "(" + s + ")"
	}
	return s
}

var patterns = []string{".", "%a+", "(%w)(%w)", "^%s*(.-)%s*$", "[%a_][%w_]*", "%d+", "b", "(a)()", "[^,]*", "%b()", "x*", "%f[%w]%w+", "(.)%1", "a-", "[a-c]+", "$", "%.", "(%d*)(%a*)"}

func (g *generator) str(depth int) string {
	if depth <= 0 || g.chance(30) {
		if v, ok := g.find(str); ok && g.chance(70) {
			return v
		}
		return pick(g, `"abc"`, `"hello world"`, `"a,b,,c"`, `"x=1, y=22"`, `""`, `"(a(b)c)"`, `'Aa bb'`, `[[l1]]`, `"10"`, `"q\"\n\065"`)
	}
	switch g.n(14) {
	case 0, 1, 2:
		parts := make([]string, 2+g.n(3))
		for i := range parts {
			parts[i] = pick(g, g.strOperand(depth), "z("+g.num(depth-1)+")", g.strOperand(depth))
		}
		return "(" + strings.Join(parts, " .. ") + ")"
	case 3:
		return fmt.Sprintf("(%s):sub(%s, %s)", g.str(depth-1), pick(g, "1", "2", "-3", "0"), pick(g, "2", "-1", "-2", "9"))
	case 4:
		return fmt.Sprintf("(%s):%s()", g.str(depth-1), pick(g, "upper", "lower", "reverse"))
	case 5:
		return fmt.Sprintf("((%s):match(%q) or 'none')", g.str(depth-1), pick(g, patterns...)) + pick(g, "", " .. ''")
	case 6:
		repl := pick(g, "'<%0>'", "'%1'", "{ a = 'A', b = false, hello = 1 }", "function(a, b) return b or nil end", "string.upper")
		return fmt.Sprintf("((%s):gsub(%q, %s))", g.str(depth-1), pick(g, patterns...), repl)
	case 7:
		return fmt.Sprintf("string.format(%q, %s)", pick(g, "%d", "%5.2f", "%g", "%s", "%x", "%-6d|", "%05d", "%+.1e", "%i", "%.14g", "%u", "%c"), "math.floor("+g.num(0)+") % 100 + 33")
	case 8:
		return fmt.Sprintf("string.format('%%s:%%q', %s, %s)", pick(g, "z("+g.num(depth-1)+")", g.str(depth-1)), g.str(depth-1))
	case 9:
		return "tostring(" + pick(g, "z("+g.num(depth-1)+")", g.cond(depth-1), g.obj(depth-1)) + ")"
	case 10:
		return fmt.Sprintf("(%s):rep(%d)", g.str(depth-1), g.n(4))
	case 11:
		if l, ok := g.find(lst); ok {
			return fmt.Sprintf("table.concat(%s, %q)", l, pick(g, "", ", ", "-"))
		}
	case 12:
		return "(" + g.obj(depth-1) + " .. " + pick(g, g.str(0), g.obj(0), "1") + ")"
	}
	return fmt.Sprintf("(%s and %s or %s)", g.cond(depth-1), g.str(depth-1), g.str(depth-1))
}

func (g *generator) cond(depth int) string {
	if depth <= 0 || g.chance(20) {
		if v, ok := g.find(boolean); ok && g.chance(50) {
			return v
		}
		return pick(g, "true", "false", "nil", "1", "'s'", "not nil", "(1 > 2)", "g1")
	}
	switch g.n(9) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", g.num(depth-1), pick(g, "<", ">", "<=", ">=", "==", "~="), g.num(depth-1))
	case 3, 4:
		return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), pick(g, "and", "or"), g.cond(depth-1))
	case 5:
		return "not " + g.cond(depth-1)
	case 6:
		return fmt.Sprintf("(%s %s %s)", g.str(depth-1), pick(g, "==", "~=", "<", ">="), g.str(depth-1))
	case 7:
		return fmt.Sprintf("(%s %s %s)", g.obj(depth-1), pick(g, "==", "<", "<=", "~=", ">"), g.obj(depth-1))
	}
	return fmt.Sprintf("(%s == %s)", g.expr(pick(g, num, str, boolean), depth-1), g.expr(pick(g, num, str, boolean), depth-1))
}
