package vm

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// try is put before a program of calls: it prints what a call returns or how it fails, on one line. The name
// of the function that failed is left out: Lua 5.1 does not know it if pcall called.
const try = `local function try(f, ...) local r = { pcall(f, ...) } for i = 1, 12 do ` +
	`local v = r[i]; if type(v) == "string" then v = string.format("%q", v):gsub("\n", "n"):gsub("to '.-'", "to") elseif v ~= v then v = "nan" end r[i] = tostring(v) end ` +
	`print(table.concat(r, " ", 1, 12)) end
`

// compareCalls runs n calls, which write makes, here and with the reference implementation.
func compareCalls(t *testing.T, seed uint64, n int, write func(r *rand.Rand) string) {
	needReference(t)
	const batch = 500
	first, factor := soak()
	r := rand.New(rand.NewPCG(seed, first))
	n = n * factor / fewerCalls
	for range n / batch {
		var calls []string
		for range batch {
			calls = append(calls, "try("+write(r)+")")
		}
		program := try + strings.Join(calls, "\n")
		want, err := reference([]string{program})
		require.NoError(t, err)
		got := here(program)
		if got == want[0] {
			continue
		}
		w, g := strings.Split(want[0], "\n"), strings.Split(got, "\n")
		for i := range calls {
			if i >= len(w) || i >= len(g) || w[i] != g[i] {
				t.Fatalf("%s\nhere:    %s\nlua5.1:  %s", calls[i], line(g, i), line(w, i))
			}
		}
	}
}

func randomString(r *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func luaQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		fmt.Fprintf(&b, "\\%03d", s[i])
	}
	b.WriteByte('"')
	return b.String()
}

var patternPieces = strings.Split("a b x 1 . %a %d %s %w %p %l %u %x %c %A %S %W %. %% %z [ ] [ab] [^a] [a-c] [%w_] [%a-] []] [^]] [a-] ^ $ * + - ? ( ) () (a) (.) (.-) %1 %2 %b() %bab %f[%w] %f[^a] %", " ")

var subjectPieces = strings.Split("a b c x 1 2 ( ) , . A _ - % ^ $ ] [ é", " ")

// TestPatternsDifferential compares random patterns on random subjects with the reference implementation.
func TestPatternsDifferential(t *testing.T) {
	subject := append(subjectPieces, " ", "\t", "\n", "aa", "ab")
	compareCalls(t, 3, 10000, func(r *rand.Rand) string {
		s, p := luaQuote(randomString(r, subject, 12)), luaQuote(randomString(r, patternPieces, 6))
		switch r.IntN(6) {
		case 0:
			return fmt.Sprintf("string.find, %s, %s, %d", s, p, r.IntN(9)-3)
		case 1:
			return fmt.Sprintf("string.match, %s, %s, %d", s, p, r.IntN(9)-3)
		case 2:
			repl := luaQuote(randomString(r, []string{"%0", "%1", "%2", "x", "%%", "%a", "<", ">"}, 4))
			return fmt.Sprintf("string.gsub, %s, %s, %s", s, p, repl)
		case 3:
			return fmt.Sprintf("string.gsub, %s, %s, { a = 'A', ab = false, ['1'] = 1 }, %d", s, p, r.IntN(4))
		case 4:
			return fmt.Sprintf("string.gsub, %s, %s, function(a, b) return a and b end", s, p)
		}
		return fmt.Sprintf("function() local r = {} for a, b in (%s):gmatch(%s) do r[#r + 1] = tostring(a) .. '|' .. tostring(b) end return table.concat(r, ';') end", s, p)
	})
}

var numbers = strings.Split("0 1 -1 2 7 10 15 42 100 255 256 1000 -42 0.5 -0.5 1.5 2.5 3.14159 1/3 -2/3 1e5 1e6 123456 1234567 999999.5 1e10 1e14 1e15 1e16 1e100 -1e100 1e-4 1e-5 1e-10 1.5e300 2^31 2^32 2^53 2^53+1 0.1 99.995 1e300*1e10 -1e300*1e10", " ")

// TestFormatDifferential compares string.format, tostring and tonumber with the reference implementation.
func TestFormatDifferential(t *testing.T) {
	number := func(r *rand.Rand) string {
		if r.IntN(3) == 0 {
			return fmt.Sprintf("%v", (r.Float64()-0.5)*[]float64{1, 10, 1e5, 1e15, 1e-5}[r.IntN(5)])
		}
		return numbers[r.IntN(len(numbers))]
	}
	compareCalls(t, 4, 10000, func(r *rand.Rand) string {
		switch r.IntN(8) {
		case 0:
			return "tostring, " + number(r)
		case 1:
			s := randomString(r, strings.Split("1 2 0 . e E - + x 0x f p inf nan _ 5", " "), 5)
			return "tonumber, " + luaQuote(randomString(r, []string{" ", "\t", ""}, 1)+s)
		case 2:
			s := randomString(r, strings.Split("1 2 0 7 8 a f z - x", " "), 4)
			return fmt.Sprintf("tonumber, %s, %d", luaQuote(s), 2+r.IntN(35))
		case 3:
			return fmt.Sprintf("string.format, \"%%%s%s%ss|\", %s", []string{"", "-"}[r.IntN(2)], []string{"", "3", "12"}[r.IntN(3)],
				[]string{"", ".0", ".2", ".10"}[r.IntN(4)], luaQuote(randomString(r, subjectPieces, 8)))
		case 4:
			return fmt.Sprintf("string.format, \"%%q\", %s", luaQuote(randomString(r, []string{"a", "\n", "\r", "\\", "\"", "\x00", "1"}, 6)))
		}
		verb := string("dixXouc"[r.IntN(7)])
		v := number(r)
		if r.IntN(2) == 0 {
			verb = string("eEfgG"[r.IntN(5)])
		} else {
			// Casts beyond the range are not defined in C.
			v = fmt.Sprint(r.IntN(2000) * []int{1, 1, 1000003}[r.IntN(3)])
			if verb == "d" || verb == "i" {
				v = "-" + v
			}
			if verb == "c" {
				v = fmt.Sprint(33 + r.IntN(90))
			}
		}
		flags := randomString(r, []string{"-", "+", " ", "#", "0"}, 2)
		if verb == "c" {
			flags = randomString(r, []string{"-"}, 1)
		}
		if verb == "g" || verb == "G" {
			// The C library that the reference runs on drops zeros that # keeps where a number rounds up to
			// a power of ten (%#g of 999999.5).
			flags = strings.ReplaceAll(flags, "#", "")
		}
		width := []string{"", "", "1", "5", "12", "20"}[r.IntN(6)]
		precision := []string{"", "", ".", ".0", ".1", ".3", ".10", ".20"}[r.IntN(8)]
		if verb == "c" {
			precision = ""
		}
		return fmt.Sprintf("string.format, \"%%%s%s%s%s|\", %s", flags, width, precision, verb, v)
	})
}

// TestStringsDifferential compares the other functions on strings and lists with the reference implementation.
func TestStringsDifferential(t *testing.T) {
	compareCalls(t, 5, 6000, func(r *rand.Rand) string {
		s := luaQuote(randomString(r, subjectPieces, 8))
		i, j := r.IntN(22)-11, r.IntN(22)-11
		list := "{" + strings.Repeat("7, ", r.IntN(4)) + "'x', 2.5}"
		switch r.IntN(14) {
		case 0:
			return fmt.Sprintf("string.sub, %s, %d, %d", s, i, j)
		case 1:
			return fmt.Sprintf("string.byte, %s, %d, %d", s, i, j)
		case 2:
			return fmt.Sprintf("string.rep, %s, %d", s, i)
		case 3:
			return fmt.Sprintf("string.find, %s, %s, %d, true", s, luaQuote(randomString(r, subjectPieces, 2)), i)
		case 4:
			return fmt.Sprintf("unpack, %s, %d, %d", list, i, j)
		case 5:
			return fmt.Sprintf("select, %d, 'a', 'b', nil", i)
		case 6:
			return fmt.Sprintf("table.concat, %s, %s, %d, %d", list, luaQuote(","), 1+max(i, 0)%5, j%4)
		case 7:
			return fmt.Sprintf("function() local t = %s table.insert(t, %d, 'n') return unpack(t, -3, 8) end", list, 1+max(i, 0)%5)
		case 8:
			return fmt.Sprintf("function() local t = %s local v = table.remove(t, %d) return v, #t, unpack(t, 1, 6) end", list, i%6)
		case 9:
			var items []string
			for range r.IntN(12) {
				items = append(items, fmt.Sprint(r.IntN(9)))
			}
			order := []string{"", ", function(a, b) return a > b end", ", function(a, b) return a % 3 < b % 3 end", ", function(a, b) return a <= b end", ", function() return true end", ", function() end"}[r.IntN(6)]
			return fmt.Sprintf("function() local t = { %s } table.sort(t%s) return table.concat(t, ' ') end", strings.Join(items, ", "), order)
		case 10:
			return fmt.Sprintf("function() return %s < %s, %s <= %s end", s, luaQuote(randomString(r, subjectPieces, 3)), s, luaQuote(randomString(r, subjectPieces, 3)))
		case 11:
			return fmt.Sprintf("math.%s, %s", []string{"floor", "ceil", "abs", "modf", "frexp", "sqrt"}[r.IntN(6)], numbers[r.IntN(len(numbers)-2)])
		case 12:
			return fmt.Sprintf("math.%s, %s, %s", []string{"max", "min", "fmod", "ldexp"}[r.IntN(4)], numbers[r.IntN(15)], numbers[1+r.IntN(14)])
		}
		return fmt.Sprintf("function() return (%s) %% (%s) end", numbers[r.IntN(len(numbers)-2)], numbers[1+r.IntN(20)])
	})
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
