package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

const tabWidth = 8

// A cleaner makes visible text of the bytes of lines, in whatever pieces they come. The zero value is at
// the start of a line. It holds the visible text of the line and little beside it.
type cleaner struct {
	// Set before use.
	limit    int  // characters a line may have; 0: any number
	keepTabs bool // a tab is a character like others
	keepSGR  bool // colours go into marks

	// out[start:] is the visible text of the present line; what stands before it is the owner's.
	out     []byte
	start   int
	runes   int  // characters of the line
	over    bool // it has more than limit, and out nothing of it
	cells   int  // width of out[start:cellsAt]; the rest is measured when a tab needs it
	cellsAt int
	marks   []mark

	// What is not complete.
	state  state
	cr     bool // a carriage return: it discards the text, unless the line ends here
	params []byte
	part   [utf8.UTFMax]byte // nPart bytes of a character
	nPart  int
}

// write takes more of the present line; there is no line feed in b.
func (c *cleaner) write(b []byte) {
	if c.nPart > 0 {
		b = c.completeRune(b)
	}
	for len(b) > 0 {
		if c.cr && b[0] != '\r' {
			c.overwrite()
		}
		switch c.state {
		case inText:
			b = c.text(b)
		case inEscape, inShort:
			b = c.escape(b)
		case inCSI:
			b = c.csi(b)
		default:
			b = c.controlString(b)
		}
	}
}

// endLine ends the text of the line, and the sequence that is not complete. Carriage returns that came
// last belong to the line end.
func (c *cleaner) endLine() {
	for range c.nPart {
		c.rune(utf8.RuneError)
	}
	c.state, c.cr, c.nPart = inText, false, 0
}

// newLine begins a line after the text of the last one.
func (c *cleaner) newLine() {
	c.start = len(c.out)
	c.clearLine()
}

// overwrite does what the carriage return was for.
func (c *cleaner) overwrite() {
	c.cr = false
	c.out = c.out[:c.start]
	c.clearLine()
	c.marks = lasting(c.marks)
}

func (c *cleaner) clearLine() {
	c.runes, c.over, c.cells, c.cellsAt = 0, false, 0, c.start
}

func (c *cleaner) text(b []byte) []byte {
	if c.over {
		if n := untilReturnOrEscape(b); n > 0 {
			return b[n:]
		}
	} else if n, runes := textSpan(b); n > 0 {
		if c.room(runes) {
			c.out = append(c.out, b[:n]...)
		}
		return b[n:]
	}
	switch {
	case b[0] == '\t':
		c.tab()
	case b[0] < utf8.RuneSelf:
		c.control(b[0])
	case !utf8.FullRune(b):
		c.nPart = copy(c.part[:], b)
		return nil
	default:
		r, n := utf8.DecodeRune(b)
		c.rune(r)
		return b[n:]
	}
	return b[1:]
}

// untilReturnOrEscape returns how much of b cannot end the state of a line that is too long.
func untilReturnOrEscape(b []byte) int {
	n := bytes.IndexByte(b, esc)
	if n < 0 {
		n = len(b)
	}
	if i := bytes.IndexByte(b[:n], '\r'); i >= 0 {
		n = i
	}
	return n
}

// completeRune goes on with a character of which only a part has come.
func (c *cleaner) completeRune(b []byte) []byte {
	for c.nPart > 0 {
		var buf [2 * utf8.UTFMax]byte
		have := append(buf[:0], c.part[:c.nPart]...)
		have = append(have, b[:min(len(b), utf8.UTFMax)]...)
		if !utf8.FullRune(have) {
			c.nPart = copy(c.part[:], have)
			return nil
		}
		r, n := utf8.DecodeRune(have)
		c.rune(r)
		if n >= c.nPart {
			b = b[n-c.nPart:]
			c.nPart = 0
		} else {
			c.nPart = copy(c.part[:], c.part[n:c.nPart])
		}
	}
	return b
}

// rune takes a character that is not ASCII.
func (c *cleaner) rune(r rune) {
	if isC1(r) || !c.room(1) {
		return
	}
	c.out = utf8.AppendRune(c.out, r)
}

// room counts n more characters and reports whether the line may have them.
func (c *cleaner) room(n int) bool {
	if c.over {
		return false
	}
	c.runes += n
	if c.limit > 0 && c.runes > c.limit {
		c.out, c.over = c.out[:c.start], true
		return false
	}
	return true
}

// control takes a control character, in text or inside a sequence.
func (c *cleaner) control(b byte) {
	switch b {
	case '\r':
		c.cr = true
	case esc:
		c.state, c.params = inEscape, c.params[:0]
	case can, sub:
		c.state = inText
	}
}

func (c *cleaner) tab() {
	if c.keepTabs {
		if c.room(1) {
			c.out = append(c.out, '\t')
		}
		return
	}
	if c.over {
		return
	}
	c.cells += displaywidth.Bytes(c.out[c.cellsAt:])
	n := tabWidth - c.cells%tabWidth
	c.cells += n
	if c.room(n) {
		c.out = append(c.out, "        "[:n]...)
		c.cellsAt = len(c.out)
	}
}
