package vm

import (
	"fmt"
	"strings"
)

// functionLiteral returns an anonymous function that returns numbers. It is on one line: the line of an
// expression that spans several is not the same in both implementations.
func (g *generator) functionLiteral() string {
	return "function" + strings.ReplaceAll(g.functionRest(""), "\n", " ")
}

// functionRest returns the parameters and the body of a function. name is that of a function which sees
// itself.
func (g *generator) functionRest(name string) string {
	outer := *g
	g.b = strings.Builder{}
	g.loops, g.vararg = 0, g.chance(25)
	g.inFunc++
	if name != "" {
		g.vars = append(g.vars, variable{name, fun})
	}
	params := make([]string, g.n(3))
	var declared []variable
	for i := range params {
		params[i] = pick(g, "a", "b", "c", "d") + fmt.Sprint(i)
		declared = append(declared, variable{params[i], num})
	}
	list := params
	if g.vararg {
		list = append(append([]string{}, params...), "...")
	}
	g.linef("(%s) burn()", strings.Join(list, ", "))
	for _, p := range params {
		g.linef("%s = %s or %s", p, p, g.literal())
	}
	g.vars = append(g.vars, declared...)
	if g.depth < 5 && g.inFunc < 4 {
		g.block(1 + g.n(4))
	}
	g.line(g.returnStmt())
	body := g.b.String() + "end"
	names, pending := g.names, g.pending
	// The builder must not be copied once written to; the text of the outer one is carried over.
	text := outer.b.String()
	vars := outer.vars
	g.b = strings.Builder{}
	g.b.WriteString(text)
	g.vars, g.loops, g.vararg, g.inFunc = vars, outer.loops, outer.vararg, outer.inFunc
	g.names, g.pending = names, pending
	return body
}

func (g *generator) returnStmt() string {
	switch g.n(6) {
	case 0:
		return "return"
	case 1:
		return "return " + g.multi(2)
	case 2:
		return "return (" + g.multi(2) + ")"
	case 3:
		if v, ok := g.find(num); ok {
			return "return " + v
		}
	case 4:
		return fmt.Sprintf("return %s, %s", g.num(1), g.num(1))
	}
	return fmt.Sprintf("return %s, %s", g.num(2), g.multi(1))
}

// block writes n statements in a scope of their own. The caller writes what opens and closes it.
func (g *generator) block(n int) {
	vars := g.vars
	g.depth++
	for range n {
		if g.pending--; g.pending < 0 {
			break
		}
		g.stmt()
	}
	g.depth--
	g.vars = vars[:len(vars):len(vars)]
}

func (g *generator) declare() {
	s := valueSort(g.n(int(numSorts)))
	e := g.expr(s, 2)
	v := variable{g.fresh(), s}
	g.linef("local %s = %s", v.name, e)
	g.vars = append(g.vars, v)
}

func (g *generator) stmt() {
	deep := g.depth > 4
	switch n := g.n(34); {
	case n < 4:
		g.declare()
	case n < 6:
		g.declareMany()
	case n < 9:
		g.assignOne()
	case n < 13:
		g.assignMany()
	case n < 14:
		g.call()
	case n < 15 && len(g.vars) > 0:
		g.print(pick(g, g.vars...))
	case n < 17 && g.loops > 0:
		g.linef("if %s then%s break end", g.cond(2), pick(g, "", " local z = "+g.num(1)+" K = function() z = z + 1 return z end", " do local z = 7 K = function() return z end end"))
	case n < 18 && g.inFunc > 0:
		g.linef("if %s then %s end", g.cond(1), g.returnStmt())
	case n < 19:
		g.line("print('K', K and show(K()))")
	case n < 20:
		g.capture()
	case deep:
		g.assignOne()
	case n < 23:
		g.ifStmt()
	case n < 24:
		g.whileStmt()
	case n < 26:
		g.repeatStmt()
	case n < 27:
		g.numericFor()
	case n < 29:
		g.genericFor()
	case n < 30:
		g.line("do")
		g.block(1 + g.n(3))
		g.line("end")
	case n < 32:
		g.functionStmt()
	default:
		g.protect()
	}
}

func (g *generator) declareMany() {
	n := 2 + g.n(2)
	sorts := make([]valueSort, n)
	var exprs []string
	for i := range sorts {
		sorts[i] = pick(g, num, num, str, lst)
		exprs = append(exprs, g.expr(sorts[i], 2))
	}
	if g.chance(25) {
		for i := range sorts {
			sorts[i] = boolean // any of them may be nil
		}
		exprs = []string{g.num(1), g.multi(2)}
		if g.vararg && g.chance(50) {
			exprs[1] = "..."
		}
	} else if g.chance(20) {
		exprs = append(exprs, g.multi(1))
	}
	var names []string
	for _, s := range sorts {
		v := variable{g.fresh(), s}
		names = append(names, v.name)
		g.vars = append(g.vars, v)
	}
	g.linef("local %s = %s", strings.Join(names, ", "), strings.Join(exprs, ", "))
}

// target returns something that a number, or else a value of its sort, can be assigned to.
func (g *generator) target() (string, valueSort) {
	switch g.n(8) {
	case 0:
		if t, ok := g.find(tab); ok {
			return t + pick(g, ".x", ".y", "['x']"), num
		}
	case 1:
		if l, ok := g.find(lst); ok {
			return l + "[1]", num
		}
	case 2:
		if t, ok := g.find(tab); ok {
			return fmt.Sprintf("%s[%s]", t, g.str(1)), num
		}
	case 3:
		if o, ok := g.find(obj); ok {
			return o + ".v", num
		}
	case 4:
		return pick(g, "g1", "g2"), boolean
	case 5:
		if l, ok := g.find(tab); ok {
			if i, ok := g.find(num); ok {
				return fmt.Sprintf("%s[%s %% 5]", l, i), num
			}
		}
	}
	s := valueSort(g.n(int(numSorts)))
	if v, ok := g.find(s); ok {
		return v, s
	}
	return "g3", boolean
}

func (g *generator) assignOne() {
	t, s := g.target()
	g.linef("%s = %s", t, g.expr(s, 3))
}

func (g *generator) assignMany() {
	if g.chance(30) {
		s := pick(g, num, str, lst, fun)
		a, ok := g.find(s)
		b, _ := g.find(s)
		if ok {
			g.linef("%s, %s = %s, %s", a, b, b, a)
			return
		}
	}
	if l, ok := g.find(lst); ok && g.chance(20) {
		i, ok := g.find(num)
		if ok {
			g.linef("if #%s > 1 then %s, %s[1], %s[2] = %s, %s[2], %s[1] end", l, i, l, l, g.num(0), l, l)
			return
		}
	}
	n := 2 + g.n(2)
	var targets, exprs []string
	for range n {
		t, s := g.target()
		targets = append(targets, t)
		exprs = append(exprs, g.expr(s, 2))
	}
	if g.chance(20) {
		exprs = append(exprs, g.multi(1))
	}
	g.linef("%s = %s", strings.Join(targets, ", "), strings.Join(exprs, ", "))
}

func (g *generator) call() {
	switch g.n(6) {
	case 0:
		// What is appended calls nothing: if it changed the list, there would be a hole, and lists with holes
		// have no defined length.
		if l, ok := g.find(lst); ok {
			if g.chance(50) {
				g.linef("%s[#%s + 1] = %s", l, l, g.num(0))
			} else {
				g.linef("table.insert(%s, %s)", l, pick(g, g.num(2), "1, "+g.num(1)))
			}
			return
		}
	case 1:
		if l, ok := g.find(lst); ok {
			g.linef("print('removed', show(table.remove(%s%s)))", l, pick(g, "", ", 1"))
			return
		}
	case 2:
		if l, ok := g.find(lst); ok {
			g.linef("table.sort(%s%s)", l, pick(g, "", ", function(a, b) return a > b end", ", function(a, b) return a % 3 < b % 3 end"))
			return
		}
	case 3:
		g.linef("print(shows(%s))", g.multi(2))
		return
	case 4:
		g.linef("print(shows((%s):find(%q%s)))", g.str(1), pick(g, patterns...), pick(g, "", ", 2", ", 1, true"))
		return
	}
	if f, ok := g.find(fun); ok {
		g.linef("%s(%s)", f, g.args(2))
		return
	}
	g.linef("print(shows(unpack(%s)))", g.listLiteral(1))
}

// capture makes functions in a loop that share and do not share variables.
func (g *generator) capture() {
	i, x, limit := g.counter(), g.fresh(), 2+g.n(3)
	g.line("local fs = {}")
	loop, closing := fmt.Sprintf("for %s = 1, %d do", i, limit), "end"
	switch g.n(4) {
	case 0:
		loop = fmt.Sprintf("local %s = 0; while %s < %d do %s = %s + 1", i, i, limit, i, i)
	case 1:
		loop = fmt.Sprintf("local %s = 0; repeat %s = %s + 1", i, i, i)
		closing = fmt.Sprintf("until %s >= %d or %s > 99", i, limit, x)
	case 2:
		loop = fmt.Sprintf("for _, %s in ipairs({ 5, 6, %s }) do", i, g.num(1))
	}
	g.linef("%s local %s = %s * 2 + %s", loop, x, i, g.num(1))
	g.linef("fs[#fs + 1] = function(d) %s = %s + (d or 1) return %s, %s end", x, x, x, i)
	vars := g.vars
	g.vars = append(vars[:len(vars):len(vars)], variable{x, num})
	g.loops++
	if g.chance(50) {
		g.block(1 + g.n(2))
	}
	if g.chance(30) {
		g.linef("if %s then local y = %s fs[#fs + 1] = function() y = y + 10 return y end break end", g.cond(1), i)
	}
	g.loops--
	g.vars = vars
	g.line(closing)
	g.line("for _, f in ipairs(fs) do print(shows(f())) print(shows(f(5))) end")
}

func (g *generator) ifStmt() {
	g.linef("if %s then", g.cond(2))
	g.block(g.n(3))
	for range g.n(2) {
		g.linef("elseif %s then", g.cond(2))
		g.block(g.n(3))
	}
	if g.chance(50) {
		g.line("else")
		g.block(g.n(3))
	}
	g.line("end")
}

func (g *generator) loop(n int) {
	g.loops++
	g.block(n)
	g.loops--
}

// counter returns the name of a variable that no other statement assigns to, so that a loop ends.
func (g *generator) counter() string {
	g.names++
	return fmt.Sprintf("q%d", g.names)
}

func (g *generator) whileStmt() {
	c := g.counter()
	g.linef("local %s = 0", c)
	switch g.n(4) {
	case 0:
		g.line("while true do")
		g.linef("%s = %s + 1 if %s > %d then break end", c, c, c, g.n(4))
	case 1:
		g.linef("while %s do %s break end", g.cond(1), pick(g, "", "do end", "print('once')"))
		return
	default:
		g.linef("while %s < %d %s do", c, g.n(4), pick(g, "", "and "+g.cond(1)))
		g.linef("%s = %s + 1", c, c)
	}
	g.loop(1 + g.n(3))
	g.line("end")
}

func (g *generator) repeatStmt() {
	c, d := g.counter(), g.fresh()
	if g.chance(20) {
		g.linef("repeat %s until %s", pick(g, "", "break", "if "+g.cond(1)+" then break end", "do local z = 1 K = function() return z end end"), pick(g, "true", "1", "not nil", "'x'"))
		return
	}
	g.linef("local %s = 0", c)
	g.linef("repeat %s = %s + 1 local %s = %s", c, c, d, c)
	vars := g.vars
	g.vars = append(vars[:len(vars):len(vars)], variable{d, num})
	g.loops++
	// The body has no scope of its own here: the condition sees it.
	g.block(1 + g.n(2))
	g.loops--
	g.vars = vars
	g.linef("until %s >= %d %s", c, 1+g.n(3), pick(g, "", "or "+d+" > 1", "or (function() return "+d+" end)() > 1", "or "+g.cond(1)))
}

func (g *generator) numericFor() {
	v := variable{g.fresh(), num}
	bounds := pick(g, "1, 3", "3, 1, -1", "0, 1, 0.5", "2, 1", "1, ("+g.num(1)+") % 4", "'1', 2", "("+g.num(1)+") % 3, 3", "1, 2, 1", "-1, 1")
	g.linef("for %s = %s do", v.name, bounds)
	vars := g.vars
	g.vars = append(vars[:len(vars):len(vars)], v)
	g.loop(1 + g.n(3))
	g.vars = vars
	g.line("end")
}

func (g *generator) genericFor() {
	a, b := g.fresh(), g.fresh()
	if a == b {
		return
	}
	vars := g.vars
	declared := []variable{{a, num}, {b, num}}
	switch g.n(7) {
	case 0:
		l, ok := g.find(lst)
		if !ok {
			return
		}
		g.linef("for %s, %s in ipairs(%s) do if %s > 5 then break end", a, b, l, a)
	case 1:
		g.linef("for %s, %s in next, { %s } do", a, b, g.num(2))
	case 2:
		g.line("local function iter(s, c) if c < s then return c + 1, c * 2 end end")
		g.linef("for %s, %s in iter, %d, 0 do", a, b, g.n(4))
	case 3:
		g.line("local n = 0")
		g.linef("for %s in function() n = n + 1 if n < %d then return n end end do", a, g.n(4))
		declared = declared[:1]
	case 4:
		g.linef("for %s, %s in (%s):gmatch(%q) do", a, b, g.str(1), pick(g, "(%w)(%w?)", "%a", "()(.)"))
		declared[0].sort, declared[1].sort = boolean, boolean // strings, or nil
	case 5:
		g.linef("for %s, %s in pairs({ %s }) do", a, b, g.num(1))
	default:
		g.line("local function iter(s, c) c = c + 1 if c <= s[1] then return c, s end end")
		g.linef("local function start() return iter, { %d }, 0 end", g.n(4))
		g.linef("for %s, %s in start() do", a, b)
		declared[1].sort = boolean // the state, which must stay as it is
	}
	g.vars = append(vars[:len(vars):len(vars)], declared...)
	g.loop(g.n(3))
	g.vars = vars
	g.line("end")
}

func (g *generator) functionStmt() {
	switch g.n(5) {
	case 0:
		name := g.fresh()
		g.linef("local function %s%s", name, g.functionRest(name))
		g.vars = append(g.vars, variable{name, fun})
	case 1:
		name := g.fresh()
		g.linef("local %s = function%s", name, g.functionRest(""))
		g.vars = append(g.vars, variable{name, fun})
	case 2:
		g.linef("function K() %s return %s end", pick(g, "", "burn()"), g.num(2))
	case 3:
		if t, ok := g.find(tab); ok {
			g.linef("function %s:m(a, ...) return self.x + a, ... end", t)
			g.linef("print(shows(%s:m(%s, %s)))", t, g.num(1), g.multi(1))
			g.linef("%s.m = nil", t)
		}
	default:
		name := g.fresh()
		g.linef("local %s; %s = function%s", name, name, g.functionRest(name))
		g.vars = append(g.vars, variable{name, fun})
	}
}

// protect writes a protected call of something that may fail.
func (g *generator) protect() {
	failing := pick(g,
		`error("user " .. `+g.strOperand(1)+`)`, `error("user level 2", 2)`, `error("user level 0", 0)`, "error()", "error({ code = 3 })",
		"error(true)", "error("+g.num(0)+")", "local n = nil; return n.x", "local n; n.y = 1", "return 1 + {}", "return {} .. 'x'",
		"return #5", "undefined()", "return ('x'):nomethod()", "return 1 < 'x'", "return {} < {}", "assert(false)", "assert(nil, 'user assert')",
		"return assert(1, 2, 3)", "return "+g.multi(2), "local t = setmetatable({}, { __index = function(t, k) error('user ' .. k) end }) return t.foo",
		"return ('x'):rep(-1)", "string.rep()", "for i = 1, 'x' do end", "return -{}", "setmetatable(1, {})", "local t = {} t[nil] = 1", "ipairs()",
		"return ('abc'):find('[')", "return ('x'):format(1)", "return string.format('%d', 'z')", "return math.floor('x')", "return next({}, 1)")
	vars := g.vars
	g.linef("do local r, e = %s", pick(g, "pcall(function()", "pcall(function(...)", "xpcall(function()"))
	handler := strings.Contains(g.lastLine(), "xpcall")
	vararg := g.vararg
	g.vararg = strings.Contains(g.lastLine(), "...")
	g.inFunc++
	loops := g.loops
	g.loops = 0
	g.block(g.n(3))
	g.loops = loops
	g.inFunc--
	g.vararg = vararg
	g.vars = vars
	g.linef("if %s then %s end", g.cond(1), failing)
	if handler {
		g.linef("end, %s)", pick(g, "function(e) return why(e) end", "function(e) return e end", "why", "function(e) return 'user ' .. type(e) end", "function() end"))
	} else {
		g.linef("end%s)", pick(g, "", ", 1, 2", ", "+g.multi(1)))
	}
	g.line("print('pcall', r, r and show(e) or why(e)) end")
	if g.chance(30) {
		g.linef("do local r, e = pcall(%s) print(r and show(e) or why(e)) end", pick(g, "error", "select, '#', 1, 2", "pcall, pcall, type, 1", "unpack, { 1, 2 }", "type", "string.rep, 'ab', 2", "nil"))
	}
}

func (g *generator) lastLine() string {
	s := strings.TrimSuffix(g.b.String(), "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}
