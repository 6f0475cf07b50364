package text

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

func TestTerminal(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"plain", "plain", "plain"},
		{"nothing", "", ""},
		{"colour is kept", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"},
		{"and reset", "\x1b[31mred", "\x1b[31mred\x1b[0m"},
		{"also by the short form", "\x1b[31mred\x1b[m", "\x1b[31mred\x1b[m"},
		{"a reset in the middle is not the last word", "\x1b[1ma\x1b[mb\x1b[4mc", "\x1b[1ma\x1b[mb\x1b[4mc\x1b[0m"},
		{"nor is one before text", "\x1b[0ma", "\x1b[0ma\x1b[0m"},
		{"every kind of colour", "\x1b[1;38;5;208ma\x1b[38:2::1:2:3mb", "\x1b[1;38;5;208ma\x1b[38:2::1:2:3mb\x1b[0m"},
		{"other sequences that end in m", "\x1b[>4;2ma\x1b[?4mb\x1b[1 mc", "abc"},
		{"a colour without end of numbers", "\x1b[" + strings.Repeat("1;", 100) + "ma", "a"},
		{"clear screen, home, alternate screen", "\x1b[2J\x1b[H\x1b[?1049ha\x1b[?1049l", "a"},
		{"cursor moves", "a\x1b[10Cb\x1b[Ac\x1b7\x1b8", "abc"},
		{"title, link, sixel", "\x1b]0;t\aa\x1b]8;;http://h/\x1b\\b\x1bPq#0\x1b\\c", "abc"},
		{"reset of the terminal", "\x1bca", "a"},
		{"bell, backspace, shift out", "a\a\b\x0eb", "ab"},
		{"C1", "a\u009b31mb\u009d0;t\u009c", "a31mb0;t"},
		{"bad UTF-8", "\x9b31m", "\uFFFD31m"},
		{"a tab is spaces", "\x1b[1ma\tb", "\x1b[1ma       b\x1b[0m"},
		{"a tab behind a colour between base and mark", "❤\x1b[1m\ufe0f\tb", "❤\x1b[1m\ufe0f      b\x1b[0m"},
		{"overwritten text goes, its colour stays", "\x1b[31m10%\r20%", "\x1b[31m20%\x1b[0m"},
		{"but not beyond a reset", "\x1b[31m10%\x1b[0m\r20%", "20%"},
		{"a reset with a colour", "\x1b[31m10%\x1b[0;1m\r20%", "\x1b[0;1m20%\x1b[0m"},
		{"a colour broken off", "\x1b[31", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Terminal([]byte(tt.raw)), "Terminal(%q)", tt.raw)
		})
	}
}

func TestTerminalProgressDoesNotGather(t *testing.T) {
	line := strings.Repeat("\x1b[32m█\x1b[0m 10%\r", 1000) + "done"
	assert.Equal(t, "done", Terminal([]byte(line)))
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func FuzzTerminal(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s))
	}
	f.Add([]byte("\x1b[31m10%\x1b[0m\r\x1b[1m20%\x1b[0;4m\rx\ty"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := Terminal(raw)
		without := sgr.ReplaceAllString(got, "")
		if strings.ContainsFunc(without, unicode.IsControl) {
			t.Fatalf("Terminal(%q) = %q, which steers more than colours", raw, got)
		}
		if want := Visible(raw); without != want {
			t.Fatalf("Terminal(%q) = %q, want the text %q", raw, got, want)
		}
		if strings.Contains(got, "\x1b") && !strings.HasSuffix(got, "\x1b[0m") && !strings.HasSuffix(got, "\x1b[m") {
			t.Fatalf("Terminal(%q) = %q, which does not end in a reset", raw, got)
		}
	})
}
