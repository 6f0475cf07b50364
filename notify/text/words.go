package text

import "strings"

// Words returns s as words that hide nothing and steer nothing: without escape sequences, and without
// characters that are not seen or change how others are seen. If multiline is set, lines and tabs stay;
// else each of them, and each row of them, becomes a space, and space around the whole is dropped. What
// is longer than maxBytes is cut, between characters, and ends in "...". Words of words are the same
// words.
func Words(s string, multiline bool, maxBytes int) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	c := cleaner{keepTabs: true}
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		c.out = c.out[:0]
		c.newLine()
		c.whole([]byte(line))
		var prev rune
		for _, r := range string(c.out) {
			if r != '\t' && hidden(prev, r) {
				continue
			}
			b.WriteRune(r)
			prev = r
		}
	}
	s = b.String()
	if !multiline {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
		s = strings.TrimSpace(s)
	}
	return cutBytes(s, maxBytes)
}

// Blank reports whether nothing of s is seen.
func Blank(s string) bool {
	for _, r := range Words(s, true, len(s)*3) {
		if !blank(r) {
			return false
		}
	}
	return true
}
