package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
)

const tabWidth = 8

// state says what the next byte of a line belongs to.
type state uint8

const (
	inText    state = iota
	inEscape        // after ESC, and after the intermediate bytes of a short sequence
	inCSI           // after ESC [
	inOSC           // in a string that ends at ST or BEL
	inOSCEsc        // the same, after an ESC in it
	inDCS           // in a string that ends at ST
	inDCSEsc        // the same, after an ESC in it
	numStates = iota
)

// A cleaner makes visible text of the bytes of lines, in whatever pieces they come. The zero value is at
// the start of a line. It holds the visible text of the line and nothing that grows beside it.
type cleaner struct {
	limit    int  // visible characters a line may have; 0 is no limit
	keepTabs bool // tabs are text
	keepSGR  bool // colours go to marks

	// out[start:] is the visible text of the present line. What stands before it belongs to the owner.
	out   []byte
	start int
	runes int  // characters in it
	over  bool // more than limit: out holds nothing of the line
	cells int  // cells before out[cellsAt:]
	// The cells of out[cellsAt:] are counted when a tab needs them.
	cellsAt int

	state state
	// cr: carriage returns came. They discard the text, unless the line ends right here.
	cr     bool
	intro  bool // inEscape: intermediate bytes came, so that the next byte can introduce nothing
	part   [utf8.UTFMax]byte
	nPart  int // bytes of a character that is not complete
	params []byte
	marks  []mark
}

// write takes bytes of the present line.
func (c *cleaner) write(b []byte) {
	if c.nPart > 0 {
		b = c.completeRune(b)
	}
	for len(b) > 0 {
		if c.cr && b[0] != '\r' && c.nPart == 0 {
			c.cr = false
			c.overwrite()
		}
		switch c.state {
		case inText:
			b = c.text(b)
		case inEscape:
			b = c.escape(b)
		case inCSI:
			b = c.csi(b)
		default:
			b = c.controlString(b)
		}
	}
}

// newLine begins a line; the text of the one before it stays in out.
func (c *cleaner) newLine() {
	c.start = len(c.out)
	c.state, c.cr, c.nPart = inText, false, 0
	c.clearLine()
}

// finish ends the text of a line: an incomplete character is none.
func (c *cleaner) finish() {
	for range c.nPart {
		c.rune(utf8.RuneError)
	}
	c.nPart = 0
}

// overwrite discards the text of the line.
func (c *cleaner) overwrite() {
	c.out = c.out[:c.start]
	c.clearLine()
	c.marks = lasting(c.marks)
}

func (c *cleaner) clearLine() {
	c.runes, c.over, c.cells, c.cellsAt = 0, false, 0, c.start
}

func (c *cleaner) text(b []byte) []byte {
	if c.over {
		return skipText(b)
	}
	if n := plainSpan(b); n > 0 {
		if c.room(n) {
			c.out = append(c.out, b[:n]...)
		}
		return b[n:]
	}
	switch {
	case b[0] == esc:
		c.state, c.intro = inEscape, false
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

// skipText passes over text that is not kept, up to what matters all the same.
func skipText(b []byte) []byte {
	if b[0] == esc || b[0] == '\r' {
		// Found by an earlier call: handled as ever, since over does not touch either.
	}
	n := bytes.IndexByte(b, esc)
	if n < 0 {
		n = len(b)
	}
	if i := bytes.IndexByte(b[:n], '\r'); i >= 0 {
		n = i
	}
	return b[n:]
}
