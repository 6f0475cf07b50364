package text

import (
	"strconv"
	"strings"
)

// Reveal returns s on one line, with every character that is not seen, or changes how others are seen,
// shown as \u{…} with its number in hexadecimal. Line feeds and tabs are such.
func Reveal(s string) string { return reveal(s, false) }

// RevealLines is Reveal for text of several lines: line feeds and tabs stay.
func RevealLines(s string) string { return reveal(s, true) }

func reveal(s string, multiline bool) string {
	if plainSpan([]byte(s)) == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var prev rune
	for _, r := range s {
		switch {
		case multiline && (r == '\n' || r == '\t'), !hidden(prev, r):
			b.WriteRune(r)
			prev = r
		default:
			b.WriteString(`\u{`)
			b.WriteString(strconv.FormatInt(int64(r), 16))
			b.WriteByte('}')
			prev = 0
		}
	}
	return b.String()
}
