package vm

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSyntaxErrors holds the words for what people get wrong. Each message must name the line to look at.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		src  string
		line int
		want string
	}{
		// Tables.
		{"p {\n  command = \"x\"\n  ready = 1\n}", 2, `',' is missing after the string "x", between two fields of a table (before 'ready' of line 3)`},
		{"p { a = 1 b = 2 }", 1, "',' is missing between two fields of a table: found 'b' after '1'"},
		{"p { a = {}\n { 1 } }", 1, "',' is missing after '}', between two fields of a table (before '{' of line 2)"},
		{"t = {\n  repeat = true,\n}", 2, `"repeat" is a reserved word of Lua and cannot be a key: write repeats = ... (or ["repeat"] = ...)`},
		{"t = { x = 1, repeat = true }", 1, `"repeat" is a reserved word of Lua and cannot be a key: write repeats = ... (or ["repeat"] = ...)`},
		{"t = {\n  x = 1\n  repeat = true }", 2, "',' is missing after '1', between two fields of a table (before 'repeat' of line 3)"},
		{"t = { end = 1 }", 1, `"end" is a reserved word of Lua and cannot be a key: write ["end"] = ...`},
		{"t = { name: 1 }", 1, "a table field is written name = value, not name: value"},
		{"t = { name: \"x\" }", 1, "a table field is written name = value, not name: value"},
		{"t = { name: true }", 1, "a table field is written name = value, not name: value"},
		{"t = { \"name\": 1 }", 1, `a table field is written name = value: write ["name"] = ...`},
		{"t = { \"name\" = 1 }", 1, `a key that is a string is written in brackets: ["name"] = ...`},
		{"t = { 1 = 2 }", 1, "unexpected '=' in a table: a key is a name, or an expression in brackets as in [1] = ..."},
		{"t = { [1] 2 }", 1, "'=' is missing after the key of a table field: found '2'"},
		{"t = { a = 1, b = }", 1, "unexpected '}' after '='"},
		{"t = { a == 1, b = 2 )", 1, "'}' is missing to close '{': found ')'"},
		{"t = {\n a = 1,\n)", 3, "unexpected ')' after ','"},

		// The end of the file.
		{"p {\n  a = {\n    1,\n  },\n\n\n", 4, "the file ends too early: '{' of line 1 is not closed, '}' is missing"},
		{"x = {\n  y = {\n    1\n", 3, "the file ends too early: '{' of line 2 is not closed, '}' is missing (inside '{' of line 1)"},
		{"function f()\n  if x then\n    y()\n  end\n", 4, "the file ends too early: 'function' of line 1 is not closed, 'end' is missing"},
		{"if a then\n  x()\nelse if b then\n  y()\nend\n", 5, "the file ends too early: 'if' of line 1 is not closed, 'end' is missing; 'else if' on line 3 opens an 'if' of its own, perhaps 'elseif' is meant"},
		{"f(1,\n 2\n", 2, "the file ends too early: '(' of line 1 is not closed, ')' is missing"},
		{"repeat\n  x()\n", 2, "the file ends too early: 'repeat' of line 1 is not closed, 'until' is missing"},
		{"local x =\n", 1, "the file ends too early after '='"},
		{"x = t[1", 1, "the file ends too early: '[' of line 1 is not closed, ']' is missing"},
		{"on(\"x\", function(n)\n  return n\n)", 3, "'end' is missing to close 'function' of line 1: found ')'"},
		{"on('x', function(n)\n  f(n)\n)", 3, "'end' is missing to close 'function' of line 1: found ')'"},

		// Closers.
		{"end", 1, "unexpected 'end': nothing is open here, perhaps there is one 'end' too many above"},
		{"x()\nend\n", 2, "unexpected 'end': nothing is open here, perhaps there is one 'end' too many above"},
		{"f(1, 2 3)", 1, "',' or ')' is missing before '3' ('(' was opened on this line)"},
		{"f(1, 2\n\"x\")", 2, "',' or ')' is missing before the string \"x\" ('(' was opened on line 1)"},
		{"for i = 1, 2 do x() until y", 1, "'end' is missing to close 'for': found 'until'"},
		{"while x do\n y()\nelse", 3, "'end' is missing to close 'while' of line 1: found 'else'"},

		// Other languages.
		{"x += 1", 1, "Lua has no '+=': write the variable again, as in x = x + 1"},
		{"x ..= 'a'", 1, "Lua has no '..=': write the variable again, as in x = x .. 1"},
		{"x++", 1, "Lua has no '++': write x = x + 1"},
		{"if a != b then end", 1, "'!=' is written '~=' in Lua"},
		{"if a && b then end", 1, "'&&' is written 'and' in Lua"},
		{"if a || b then end", 1, "'||' is written 'or' in Lua"},
		{"if !a then end", 1, "'!' is written 'not' in Lua"},
		{"if a = b then end", 1, "'=' assigns; to compare, write '=='"},
		{"while a = b do end", 1, "'=' assigns; to compare, write '=='"},
		{"x == 1", 1, "'==' compares; to assign, write '='"},
		{"// comment", 1, "'//' does not begin a comment: Lua writes '--'"},
		{"x = 1 // 2", 1, "'//' does not begin a comment: Lua writes '--'"},
		{"/* comment */", 1, "'/*' does not begin a comment: Lua writes '--'"},
		{"x()\n# comment", 2, "'#' gives a length and cannot begin a statement: a comment begins with '--'"},
		{"for i = 1, 2 do continue end", 1, "Lua has no 'continue': put the rest of the loop into an 'if'"},
		{"goto done", 1, "Lua 5.1 has no 'goto'"},
		{"x ::done::", 1, "Lua 5.1 has no labels"},
		{"var x = 1", 1, "Lua has no 'var': a variable is declared with 'local'"},
		{"x = \u201chello\u201d", 1, `a typographic quote: strings are written with " or '`},
		{"x = `hello`", 1, `a backquote: strings are written with ", ' or [[ ]]`},
		{"x = a ? b : c", 1, "unexpected character '?'"},
		{"x = 1 \xff", 1, "unexpected byte 0xff"},

		// The rest.
		{"local end = 1", 1, "'end' is a reserved word of Lua and cannot be a name after 'local'"},
		{"x.end = 1", 1, `"end" is a reserved word of Lua: write ["end"] instead of .end`},
		{"return x.repeat", 1, `"repeat" is a reserved word of Lua: write ["repeat"] instead of .repeat`},
		{"repeat = 1", 1, "unexpected '=' after 'repeat'"},
		{"x", 1, "'x' alone is not a statement: a call needs '(', an assignment '='"},
		{"process db { }", 1, "'process' alone is not a statement: a call needs '(', an assignment '='"},
		{"x y = 1", 1, "'x' alone is not a statement: a call needs '(', an assignment '='"},
		{"if x\n y() end", 2, "'then' is missing after the condition of 'if': found 'y'"},
		{"for i = 1 do end", 1, "',' is missing between the first and the last value of 'for': found 'do'"},
		{"for i do end", 1, "'in' is missing after the variables of 'for': found 'do'"},
		{"function () end", 1, "a name is missing after 'function': found '('"},
		{"function f(a,) end", 1, "a parameter is missing after the last ','"},
		{"function f(1) end", 1, "a name is missing of a parameter: found '1'"},
		{"f() = 1", 1, "cannot assign to this expression: a variable or a field of a table is needed left of '='"},
		{"(a) = 1", 1, "cannot assign to this expression: a variable or a field of a table is needed left of '='"},
		{"break", 1, "'break' outside a loop"},
		{"while true do function f() break end end", 1, "'break' outside a loop"},
		{"return 1\nx()", 2, "'return' must be the last statement of its block: found 'x' after it"},
		{"while true do break x() end", 1, "'break' must be the last statement of its block: found 'x' after it"},
		{"function f() return ... end", 1, "'...' outside a function with a variable number of arguments"},
		{"x = \"abc", 1, "unfinished string: the closing \" is missing on its line"},
		{"x = \"abc\ny = 1", 1, "unfinished string: the closing \" is missing on its line"},
		{"x = 1\ny = [==[ a\n b ]=]\n", 2, "unfinished long string: the closing ]==] is missing"},
		{"--[[ a\n b", 1, "unfinished long comment: the closing ]] is missing"},
		{"x = '\\300'", 1, `escape sequence too large: \ddd goes up to \255`},
		{"x = 3x", 1, "malformed number '3x'"},
		{"x = 0x", 1, "malformed number '0x'"},
		{"x = 1..2", 1, "malformed number '1..2'"},
		{"x = f\n(g)()", 2, "'(' on a line of its own after an expression: write ';' before it if a new statement begins, or move it up if this is a call"},
		{"x = 1 + ", 1, "the file ends too early after '+'"},
		{"x = + 1", 1, "unexpected '+' after '='"},
		{"local x <const> = 1", 1, "unexpected '<' after 'x'"},
		{"local function f.x() end", 1, "'(' is missing before the parameters of a function: found '.'"},
		{"x:y = 1", 1, "'(' is missing after the name of a method: found '='"},
		{"x = " + strings.Repeat("{", 201), 1, "nested too deeply: more than 200 levels"},
		{"local x = " + strings.Repeat("a + ", 1001) + "a", 1, "more than 1000 operators in a row: use several statements"},
		{strings.Repeat("local a ", 201), 1, "more than 200 local variables in the main part of the file"},
		{"function f()\n" + strings.Repeat("local a ", 201) + "end", 2, "more than 200 local variables in the function of line 1"},
	} {
		_, err := Compile([]byte(c.src), "f.lua")
		var e *SyntaxError
		if !assert.True(t, errors.As(err, &e), "Compile(%q) = %v, want a *SyntaxError", c.src, err) {
			continue
		}
		assert.Equal(t, c.want, e.Message, "Compile(%.60q)", c.src)
		assert.Equal(t, c.line, e.Line, "line of Compile(%.60q)", c.src)
		assert.Equal(t, "f.lua", e.Chunk)
	}
}

// TestSyntaxAccepted holds sources that other parsers stumble over.
func TestSyntaxAccepted(t *testing.T) {
	for _, src := range []string{
		"", "\n\n", "-- only a comment", "return", "return;", "return 1;", "x = 1;",
		"\ufeffx = 1", "#!/usr/bin/env lua\nx = 1", "\ufeff#!lua\nx = 1", "# text",
		"--[====== decorated ======\nx = 1", "--[=x\nx = 1", "--[[]] x = 1", "---\nx = 1",
		"x = 1\r\ny = 2\r\n", "x = 1\n\ry = 2", "x = [[\r\na\r\n]]", "x = 'a\\\nb'",
		"x = {}\n(f or g)()", "local x\n(f)()", "function f\n() end", "f\n{}", "f\n'x'",
		"goto = 1", "local goto = 1 return goto", "x = a.b['c'].d:e(1)'s'{}.f", "x = -2^-2", "x = not not a == b",
		"for i = 1, 2 do break end", "while a do if b then break end end", "x = function(...) return ... end",
		"t = { 1, 2; 3, }", "t = { [1] = 1, a = 2, 'b' }", "x = 0x7fp1", "x = 1e5 + .5 + 5. + 0X1f",
	} {
		_, err := Compile([]byte(src), "f.lua")
		assert.NoError(t, err, "Compile(%q)", src)
	}
}

func TestLinesAreKept(t *testing.T) {
	for _, c := range []struct {
		src  string
		line int
	}{
		{"\ufeff#!lua\n\nerror('x')", 3},
		{"local a = [[\n\n]]\nerror('x')", 4},
		{"--[[\n\n]] error('x')", 3},
		{"local t = {\n  a = 1,\n  b = error('x'),\n}", 3},
		{"print(\n  1,\n  error('x')\n)", 3},
		{"local x = nil\nlocal y = 1 +\n  x.y", 3},
		{"a, b, c = 1,\n  2,\n  error('x')", 3},
		{"if nil then\n\nend\nerror('x')", 4},
		{"while true do\n  error('x')\nend", 2},
		{"x = 'a' ..\n  'b' ..\n  nil", 1},
	} {
		proto, err := Compile([]byte(c.src), "f.lua")
		require.NoError(t, err, c.src)
		vm := New(Options{})
		_, err = vm.Call(t.Context(), Limits{}, vm.Load(proto))
		var e *RuntimeError
		require.True(t, errors.As(err, &e), c.src)
		assert.Equal(t, c.line, e.Line, "line of the error of %q", c.src)
		assert.Equal(t, "f.lua", e.Chunk)
		vm.Close()
	}
}
