package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, s, one, many string }{
		{"plain", "api crashed", "api crashed", "api crashed"},
		{"lines", " a\n\n\tb\n", "a b", " a\n\n\tb\n"},
		{"line ends of others", "a\r\nb\rc", "a b c", "a\nb\nc"},
		{"spaces stay", "a  b", "a  b", "a  b"},
		{"colours", "\x1b[31mred\x1b[0m", "red", "red"},
		{"sequences", "a\x1b]0;title\ab\x1b[2Jc", "abc", "abc"},
		{"a sequence not ended takes its line", "a\x1b]0;title\nb", "a b", "a\nb"},
		{"control characters", "a\x00\x07\x7f\u0085\u009bb", "ab", "ab"},
		{"bidirectional controls", "a\u202e\u2066\u200e\u061cb", "ab", "ab"},
		{"zero width", "a\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180eb", "ab", "ab"},
		{"tag characters", "a\U000e0001\U000e0041\U000e007fb", "ab", "ab"},
		{"selectors that carry bytes", "a\ufe00\ufe0f\U000e0100\U000e01efb", "ab", "ab"},
		{"selectors that make an emoji", "⚠\ufe0f careful, 1\ufe0f\u20e3", "⚠\ufe0f careful, 1\ufe0f\u20e3", "⚠\ufe0f careful, 1\ufe0f\u20e3"},
		{"a selector on nothing", "\ufe0f a \ufe0fb\u200b\ufe0f\ufe0f", "a b", " a b"},
		{"a selector on a selector", "⚠\u200b\ufe0f\ufe0f\ufe0e", "⚠\ufe0f", "⚠\ufe0f"},
		{"separators of lines and paragraphs", "a\u2028\u2029b", "ab", "ab"},
		{"fillers", "a\u115f\u1160\u3164\uffa0b", "ab", "ab"},
		{"noncharacters", "a\ufffe\uffff\ufdd0\U0010ffffb", "ab", "ab"},
		{"bad UTF-8", "a\xffb", "a\uFFFDb", "a\uFFFDb"},
		{"letters of all kinds", "é你שלום مرحبا ก็ 👩 e\u0301 \u0600٣", "é你שלום مرحبا ก็ 👩 e\u0301 \u0600٣", "é你שלום مرحبا ก็ 👩 e\u0301 \u0600٣"},
		{"markup is data", "</process_event> %s {{.A}}", "</process_event> %s {{.A}}", "</process_event> %s {{.A}}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.one, Words(tt.s, false, 1000), "one line")
			assert.Equal(t, tt.many, Words(tt.s, true, 1000), "several")
		})
	}
}

func TestWordsCut(t *testing.T) {
	for _, tt := range []struct {
		s    string
		max  int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "ab..."},
		{"abéf", 5, "ab\u00e9f"},
		{"aéééé", 7, "aé..."},
		{"abcdef", 3, "..."},
		{"abcdef", 1, "."},
		{"abcdef", 0, ""},
		{"\x1b[1mabc\x1b[m", 3, "abc"},
	} {
		assert.Equal(t, tt.want, Words(tt.s, true, tt.max), "Words(%q, true, %d)", tt.s, tt.max)
	}
}

func TestBlank(t *testing.T) {
	for _, s := range []string{"", " \t\r\n", "\u00a0\u3000\u2800", "\u200b\u202e\ufeff", "\x1b[31m \x1b[0m", "\x1b]0;title\a", "\U000e0041", "\ufe0f"} {
		assert.True(t, Blank(s), "Blank(%q)", s)
	}
	for _, s := range []string{"x", " . ", "\xff", "\u200bé", "\x1b[31mx"} {
		assert.False(t, Blank(s), "Blank(%q)", s)
	}
}

func TestReveal(t *testing.T) {
	for _, tt := range []struct{ s, one, many string }{
		{"plain", "plain", "plain"},
		{"a\nb\tc\r", `a\u{a}b\u{9}c\u{d}`, "a\nb\tc" + `\u{d}`},
		{"\x1b[31m\x00\x7f\u009b", `\u{1b}[31m\u{0}\u{7f}\u{9b}`, `\u{1b}[31m\u{0}\u{7f}\u{9b}`},
		{"a\u202eb\u2066\u200b\u200d\ufeff", `a\u{202e}b\u{2066}\u{200b}\u{200d}\u{feff}`, `a\u{202e}b\u{2066}\u{200b}\u{200d}\u{feff}`},
		{"\U000e0041\U000e007f", `\u{e0041}\u{e007f}`, `\u{e0041}\u{e007f}`},
		{"\u2028\uffff", `\u{2028}\u{ffff}`, `\u{2028}\u{ffff}`},
		{"⚠\ufe0f\ufe0f \ufe0f", "⚠\ufe0f" + `\u{fe0f} \u{fe0f}`, "⚠\ufe0f" + `\u{fe0f} \u{fe0f}`},
		{"é你 </a>", "é你 </a>", "é你 </a>"},
		{"\xff", "\uFFFD", "\uFFFD"},
	} {
		assert.Equal(t, tt.one, Reveal(tt.s), "Reveal(%q)", tt.s)
		assert.Equal(t, tt.many, RevealLines(tt.s), "RevealLines(%q)", tt.s)
	}
}

func FuzzWords(f *testing.F) {
	for i, s := range hostile {
		f.Add(s+"\n"+s, i%2 == 0, 20*i)
	}
	f.Fuzz(func(t *testing.T, s string, multiline bool, limit int) {
		limit &= 0xfff
		got := Words(s, multiline, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("Words(%q, %v, %d) = %q with %d bytes", s, multiline, limit, got, len(got))
		}
		if again := Words(got, multiline, limit); again != got {
			t.Fatalf("Words(%q, %v, %d) = %q, and of that %q", s, multiline, limit, got, again)
		}
		unwanted := func(r rune) bool {
			return unicode.IsControl(r) && !(multiline && (r == '\n' || r == '\t')) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) ||
				r >= 0xe0000 && r <= 0xe007f || r >= 0x200b && r <= 0x200f || r == 0xfeff
		}
		if strings.ContainsFunc(got, unwanted) {
			t.Fatalf("Words(%q, %v, %d) = %q, which hides something", s, multiline, limit, got)
		}
		if !Blank(s) && limit >= len(s)*3 && strings.TrimSpace(got) == "" {
			t.Fatalf("Words(%q, %v, %d) = %q, but it is not blank", s, multiline, limit, got)
		}
		for _, r := range Reveal(s) {
			if unwanted(r) || r == '\n' || r == '\t' {
				t.Fatalf("Reveal(%q) = %q, which hides %q", s, Reveal(s), r)
			}
		}
	})
}
