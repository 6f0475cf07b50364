package text

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// refVisible is Visible the slow way: character by character over the whole line, one rule after the
// other, with none of the machinery of the cleaner.
func refVisible(raw string) string {
	line := []rune(raw) // U+FFFD for each bad byte
	var seen []rune
	for i := 0; i < len(line); {
		if line[i] != esc {
			seen = append(seen, line[i])
			i++
			continue
		}
		rest, returns := refSequence(line[i:])
		if returns {
			seen = append(seen, '\r')
		}
		i = len(line) - len(rest)
	}
	for i := len(seen) - 1; i >= 0; i-- {
		if seen[i] == '\r' {
			seen = seen[i+1:]
			break
		}
	}
	var out strings.Builder
	from, cells := 0, 0
	for _, r := range seen {
		switch {
		case r == '\t':
			cells += displaywidth.String(out.String()[from:])
			n := 8 - cells%8
			out.WriteString(strings.Repeat(" ", n))
			from, cells = out.Len(), cells+n
		case r < ' ' || r >= 0x7f && r <= 0x9f:
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// refSequence returns what follows the escape sequence at the start of line, and whether a carriage
// return took effect inside it.
func refSequence(line []rune) (rest []rune, returns bool) {
	s := string(line[1:])
	for _, kind := range []struct {
		intro string
		ends  []string
	}{{"]_", []string{"\a", "\x1b\\"}}, {"PX^", []string{"\x1b\\"}}} {
		if s == "" || !strings.ContainsRune(kind.intro, rune(s[0])) {
			continue
		}
		first := len(s)
		for _, end := range kind.ends {
			if i := strings.Index(s, end); i >= 0 {
				first = min(first, i+len(end))
			}
		}
		return []rune(s[first:]), false
	}
	const start, short, csi = 0, 1, 2
	where := start
	for i, r := range line {
		switch {
		case i == 0:
		case r == '\r':
			returns = true
		case r == can || r == sub:
			return line[i+1:], returns
		case r == esc || r >= utf8.RuneSelf:
			return line[i:], returns
		case r < ' ' || r == del:
		case where == csi && r < '@':
		case where == start && r == '[':
			where = csi
		case where != csi && r < '0':
			where = short
		case where == start && strings.ContainsRune("]_PX^", r):
			// A control character stood between ESC and the introducer.
			rest, _ = refSequence(append([]rune{esc}, line[i:]...))
			return rest, returns
		default:
			return line[i+1:], returns
		}
	}
	return nil, returns
}
