package text

import (
	"bytes"
	"unicode/utf8"
)

const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
	del = 0x7f
)

// state says what the next byte of a line belongs to.
type state uint8

const (
	inText   state = iota
	inEscape       // ESC came
	inShort        // ESC and intermediate bytes came: only a final byte can follow
	inCSI          // ESC [ came
	inOSC          // in a string that ends at ST or BEL
	inOSCEsc       // the same, right after an ESC in it
	inDCS          // in a string that ends at ST only
	inDCSEsc       // the same, right after an ESC in it
)

// escape takes what follows ESC.
func (c *cleaner) escape(b []byte) []byte {
	switch k := b[0]; {
	case k >= utf8.RuneSelf:
		c.state = inText
		return b
	case k < ' ' || k == del:
		c.control(k)
	case k < '0':
		c.state = inShort
	case c.state == inShort:
		c.state = inText
	case k == '[':
		c.state = inCSI
	case k == ']' || k == '_': // OSC, APC
		c.state = inOSC
	case k == 'P' || k == 'X' || k == '^': // DCS, SOS, PM
		c.state = inDCS
	default:
		c.state = inText
	}
	return b[1:]
}

// csi takes what follows ESC [.
func (c *cleaner) csi(b []byte) []byte {
	switch k := b[0]; {
	case k >= utf8.RuneSelf:
		c.state = inText
		return b
	case k < ' ' || k == del:
		c.control(k)
	case k < '@':
		if c.keepSGR && len(c.params) <= maxSGR {
			c.params = append(c.params, k)
		}
	default:
		c.state = inText
		if c.keepSGR && k == 'm' {
			c.mark()
		}
	}
	return b[1:]
}

// controlString takes what follows the introducer of an OSC, APC, DCS, SOS or PM. Carriage returns in it
// do nothing.
func (c *cleaner) controlString(b []byte) []byte {
	switch c.state {
	case inOSC:
		i := bytes.IndexByte(b, esc)
		if i < 0 {
			i = len(b)
		}
		if j := bytes.IndexByte(b[:i], bel); j >= 0 {
			c.state = inText
			return b[j+1:]
		}
		return c.afterString(b, i, inOSCEsc)
	case inDCS:
		i := bytes.IndexByte(b, esc)
		if i < 0 {
			i = len(b)
		}
		return c.afterString(b, i, inDCSEsc)
	}
	switch {
	case b[0] == '\\' || b[0] == bel && c.state == inOSCEsc:
		c.state = inText
	case b[0] == esc: // the end may begin here
	case c.state == inOSCEsc:
		c.state = inOSC
	default:
		c.state = inDCS
	}
	return b[1:]
}

// afterString passes over the content of a string up to the ESC at i, if there is one.
func (c *cleaner) afterString(b []byte, i int, next state) []byte {
	if i == len(b) {
		return nil
	}
	c.state = next
	return b[i+1:]
}
