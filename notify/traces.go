package notify

import (
	"bytes"
	"unicode/utf8"

	"github.com/prochost/prochost/notify/scan"
	"github.com/prochost/prochost/notify/text"
)

// traces finds where literals may be in the visible text of raw lines, without making it: where one stands as it is,
// and where what is hidden stands behind the beginning of one.
type traces struct {
	literals []scan.Literal
	one      []byte    // if there is one literal, and case matters
	set      *scan.Set // else
	begins   [256]bool // bytes that have something of a literal behind them
	indented bool      // a literal begins with a space, which may be a part of a tab
}

// leavesTraces reports whether the characters of literals stand in a raw line where they are seen. U+FFFD does not, nor
// does a part of a character: each may be seen where something stands that is no UTF-8.
func leavesTraces(literals []scan.Literal) bool {
	for _, l := range literals {
		for _, r := range l.Text {
			if r == utf8.RuneError {
				return false
			}
		}
	}
	return true
}

func newTraces(literals []scan.Literal) *traces {
	t := &traces{literals: literals}
	if len(literals) == 1 && !literals[0].Fold {
		t.one = []byte(literals[0].Text)
	} else {
		t.set = scan.New([][]scan.Literal{literals})
	}
	for _, l := range literals {
		t.indented = t.indented || l.Text[0] == ' '
		for i := range len(l.Text) - 1 {
			t.begins[l.Text[i]] = true
			if c := l.Text[i]; l.Fold && 'a' <= c && c <= 'z' {
				t.begins[c-'a'+'A'] = true
			}
		}
	}
	return t
}

// window is how far next looks for one kind of trace before it looks for the other. What it finds costs no more than
// this, however many lines are found.
const window = 4 << 10

// next returns a place in the first line that has a trace, of those from the start of a line at on; len(lines) if
// there is none.
func (t *traces) next(lines []byte, at int) int {
	for at < len(lines) {
		to := min(at+window, len(lines))
		to += min(lineLength(lines[to:])+1, len(lines)-to)
		hit := at + t.whole(lines[at:to])
		if hit = at + t.broken(lines[at:hit]); hit < to {
			return hit
		}
		at = to
	}
	return len(lines)
}

// whole returns a place in the first literal that stands in b as it is, len(b) if there is none.
func (t *traces) whole(b []byte) int {
	if t.set != nil {
		at, _ := t.set.Next(b, 0, 0)
		return at
	}
	if at := bytes.Index(b, t.one); at >= 0 {
		return at
	}
	return len(b)
}

// broken returns the place of the first thing hidden that may have a literal around it, len(b) if there is none.
func (t *traces) broken(b []byte) int {
	for at := 0; ; at++ {
		at += text.Hiding(b[at:])
		switch {
		case at == len(b):
			return at
		case t.indented && b[at] == '\t':
			return at
		case at > 0 && t.begins[b[at-1]] && t.begun(b[:at]):
			return at
		}
	}
}

// begun reports whether b ends with the beginning of a literal.
func (t *traces) begun(b []byte) bool {
	for _, l := range t.literals {
		for n := min(len(l.Text)-1, len(b)); n > 0; n-- {
			if l.Begins(b[len(b)-n:]) {
				return true
			}
		}
	}
	return false
}
