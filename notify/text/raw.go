package text

import (
	"strings"
	"unicode/utf8"
)

// MaxRaw is the length of the longest line that Raw leaves whole, in bytes.
const MaxRaw = 32 << 10

// CutMark stands at the end of a line that was cut.
const CutMark = " … [line truncated]"

// Raw returns one raw line, given without its end, as it came, escape sequences included, but as valid
// UTF-8. One that is longer than MaxRaw bytes, or of which cut says that raw is not all of it, carries
// CutMark.
func Raw(raw []byte, cut bool) string {
	if len(raw) > MaxRaw {
		raw, cut = raw[:runeStart(raw, MaxRaw)], true
	}
	s := valid(raw)
	if len(s) > MaxRaw { // U+FFFD is longer than what it stands for
		s, cut = s[:runeStart(s, MaxRaw)], true
	}
	if cut {
		s += CutMark
	}
	return s
}

// valid puts U+FFFD in the place of every byte that is not part of valid UTF-8.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b) + 16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// runeStart returns the last place in s, not after i, where a character begins or s ends.
func runeStart[T string | []byte](s T, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for lowest := max(i-utf8.UTFMax+1, 0); i > lowest && !utf8.RuneStart(s[i]); i-- {
	}
	return i
}
