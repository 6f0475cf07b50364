package scan

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// written shows literals; those that fold case begin with "i:".
func written(list []Literal) string {
	var out []string
	for _, l := range list {
		s := l.Text
		if l.Fold {
			s = "i:" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestRequired(t *testing.T) {
	for _, tt := range []struct{ expr, want string }{
		// literals, and what stands between them
		{`listening on port`, "listening on port"},
		{`port (\d+)`, "port "},
		{`\[\d+\] took (\d{4,})ms`, "] took "},
		{`^panic: .*$`, "panic: "},
		{`\bready\b in`, "ready in"},
		{`(?m:^)fatal(?m:$)`, "fatal"},
		{`((((deep))))`, "deep"},
		{`a{3}b{2}`, "aaabb"},
		{`(?:ab){2,}x`, "abab"},
		{`x{12}y`, "xxxxxxxx"},
		{`(failed)+`, "failed"},
		{`.*error.*occurred.*`, "occurred"},
		{`status=5\d\d`, "status=5"},
		{`%`, "%"},
		{`#(\d\d%)`, "#"},
		{`сервер .* готов`, "сервер "},

		// alternatives
		{`panic|fatal error|SIGSEGV`, "panic | fatal error | SIGSEGV"},
		{`(warn|error): (.*)`, "warn:  | error: "},
		{`colou?r mode`, "color mode | colour mode"},
		{`gr[ae]y zone`, "gray zone | grey zone"},
		{`(?:a.*mongo|redis.*b)`, "mongo | redis"},
		{`error|errors`, "error"}, // of both

		// case
		{`(?i)fatal`, "i:fatal"},
		{`[Ff]atal: x`, "i:fatal: x"},
		{`(?i)ready`, "i:ready"},
		{`(?i)k8`, "i:k8 | \u212a8"},
		{`(?i)wes`, "i:wes | i:we\u017f"},
		{`(?i)grün.`, "i:grün | i:grÜn"},

		// nothing that must be there
		{`\d+`, ""},
		{`.*`, ""},
		{`x*`, ""},
		{`(error)?`, ""},
		{`(error)*`, ""},
		{`error|`, ""},
		{`error|.*x`, ""},
		{`(?:error){0,3}`, ""},
		{`(?:error){0}`, ""},
		{`[a-z]+@[a-z]`, "@"},
		{`[^\x00-\x{10FFFF}]`, ""},
		{`^$`, ""},
		{`\b`, ""},
		{`[[:alpha:]]{5}`, ""},

		// too frequent to be of use
		{`e`, ""},
		{`: `, ""},
		{`[aeiou]n`, ""},

		// a byte that is no UTF-8 matches U+FFFD
		{"\uFFFD", ""},
		{"abc\uFFFDdefgh", "defgh"},
		{"wxyz[\uFFFDa]", "wxyz"},

		{`a(`, ""},
	} {
		assert.Equal(t, tt.want, written(Required(tt.expr)), "Required(%q)", tt.expr)
	}
}

// Expressions that would grow without bound stay small.
func TestRequiredIsBounded(t *testing.T) {
	nested := "ab"
	for range 8 {
		nested = "(?:" + nested + "c{2}){8}"
	}
	for _, expr := range []string{
		nested, strings.Repeat("(a|b|c|d)", 60), strings.Repeat("x?", 200), strings.Repeat("[a-f]y", 100),
		strings.Repeat("(?i:k)", 100), strings.Repeat("long", 125), "(" + strings.Repeat("word|", 99) + "z)" + strings.Repeat("(q|w)", 20),
	} {
		for _, l := range Required(expr) {
			assert.LessOrEqual(t, len(l.Text), 500, "Required(%.20q…)", expr)
		}
		assert.LessOrEqual(t, len(Required(expr)), maxAlternatives)
	}
}

// A sampler writes texts that an expression matches.
type sampler struct {
	*rand.Rand
	b strings.Builder
}

func (s *sampler) rune(r rune, folds bool) {
	for range s.IntN(3) {
		if folds {
			r = unicode.SimpleFold(r)
		}
	}
	if r == utf8.RuneError && s.IntN(2) == 0 {
		s.b.WriteByte(0xff)
		return
	}
	s.b.WriteRune(r)
}

func (s *sampler) write(re *syntax.Regexp) {
	if s.b.Len() > 500 {
		return
	}
	copies := func(least, most int) {
		if most < 0 {
			most = least + 2
		}
		for range least + s.IntN(most-least+1) {
			s.write(re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			s.rune(r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			i := s.IntN(len(re.Rune)/2) * 2
			s.rune(re.Rune[i]+s.Int32N(re.Rune[i+1]-re.Rune[i]+1), false)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.rune([]rune("aX é\uFFFD✓")[s.IntN(6)], false)
	case syntax.OpCapture:
		s.write(re.Sub[0])
	case syntax.OpStar:
		copies(0, -1)
	case syntax.OpPlus:
		copies(1, -1)
	case syntax.OpQuest:
		copies(0, 1)
	case syntax.OpRepeat:
		copies(re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			s.write(sub)
		}
	case syntax.OpAlternate:
		s.write(re.Sub[s.IntN(len(re.Sub))])
	}
}

// randomExpr writes an expression of the kinds that the analysis tells apart.
func randomExpr(r *rand.Rand, depth int) string {
	word := func() string {
		return []string{"e", "ok", "kiss", "Error", "ſt", "✓", "x#y", "ms", "grün", "\uFFFD", "status="}[r.IntN(11)]
	}
	if depth == 0 {
		return word()
	}
	sub := func() string { return randomExpr(r, depth-1) }
	switch r.IntN(14) {
	case 0:
		return "(" + sub() + "|" + sub() + ")"
	case 1:
		return "(?i:" + sub() + ")"
	case 2:
		return "(?:" + sub() + ")" + []string{"*", "+", "?", "*?", "{2}", "{0,2}", "{1,3}", "{9}", "{10,}"}[r.IntN(9)]
	case 3:
		return []string{`\b`, `^`, `$`, `(?m:^)`, `\B`, `\A`, `\z`}[r.IntN(7)] + sub()
	case 4:
		return []string{`\d`, `.`, `[aeiou]`, `[^x]`, `[Kk]`, `(?i:[a-c])`, `\s`, `[a-zſ]`, "[\uFFFD]"}[r.IntN(9)] + sub()
	case 5:
		return "(?:|" + sub() + ")"
	case 6:
		return "(?i)" + word() + "(?-i)" + sub()
	case 7, 8:
		return word()
	}
	return sub() + sub()
}

func FuzzRequired(f *testing.F) {
	for seed := range uint64(30) {
		f.Add("", seed, "")
	}
	for i, expr := range []string{
		`(?i)success|k8s`, `took (\d{4,})ms`, `^\[?(warn|error)\]?: `, `(?:a|ab)(c|bcd)(d*)`, "a\uFFFDb", `(x+x+)+y`, `\Qa.b\E`, `[[:^ascii:]]ab`,
	} {
		f.Add(expr, uint64(i), "an Error: ſucceſs took 1234ms")
	}
	f.Fuzz(func(t *testing.T, expr string, seed uint64, text string) {
		r := rand.New(rand.NewPCG(seed, 2))
		if expr == "" || len(expr) > 200 {
			expr = randomExpr(r, 4)
		}
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		needs := Required(expr)
		if needs == nil {
			return
		}
		s := New([][]Literal{needs})
		for i := range 8 {
			if i > 0 {
				sample := sampler{Rand: r}
				sample.write(tree)
				text = strings.Repeat("x ", r.IntN(4)) + sample.b.String() + strings.Repeat(" y", r.IntN(3))
			}
			if i == 1 {
				text = strings.TrimSuffix(strings.TrimLeft(text, "x "), " y")
			}
			if re.MatchString(text) && found(s, []byte(text)) == 0 {
				t.Fatalf("%q matches %q, which has none of %q", expr, text, fmt.Sprint(written(needs)))
			}
		}
	})
}
