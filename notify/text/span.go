package text

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Eight bytes are looked at in one word. Every sum stays within its byte, so that the masks are exact.
const (
	high  = 0x8080808080808080
	low7  = 0x7f7f7f7f7f7f7f7f
	ones  = 0x0101010101010101
	feeds = '\n' * ones
)

// odd marks the high bit of each byte that is no printable ASCII.
func odd(x uint64) uint64 {
	printable := (x & low7) + 0x60*ones // high bit: at least 0x20
	del := (x & low7) + ones            // high bit: 0x7f
	return (^printable | del | x) & high
}

// lineFeeds marks the high bit of each byte that is a line feed.
func lineFeeds(x uint64) uint64 {
	y := x ^ feeds
	return ^((y&low7 + low7) | y) & high
}

// plainSpan returns the length of the printable ASCII at the start of b.
func plainSpan(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if m := odd(binary.LittleEndian.Uint64(b[n:])); m != 0 {
			return n + bits.TrailingZeros64(m)/8
		}
	}
	for ; n < len(b) && b[n]-0x20 < 0x5f; n++ {
	}
	return n
}

// plainLinesSpan returns the length of the printable ASCII and line feeds at the start of b.
func plainLinesSpan(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		if m := odd(x); m != 0 {
			if m &^= lineFeeds(x); m != 0 {
				return n + bits.TrailingZeros64(m)/8
			}
		}
	}
	for ; n < len(b) && (b[n]-0x20 < 0x5f || b[n] == '\n'); n++ {
	}
	return n
}

// textSpan returns the length of the valid UTF-8 without control characters at the start of b, and the
// number of its characters.
func textSpan(b []byte) (n, runes int) {
	n = plainSpan(b)
	runes = n
	for n < len(b) {
		if c := b[n]; c < utf8.RuneSelf {
			if c < ' ' || c == del {
				break
			}
			n++
			runes++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if size == 1 || isC1(r) {
			break
		}
		n += size
		runes++
	}
	return n, runes
}

// Hiding returns how much stands at the start of b, line feeds included, before something that may be hidden: a
// control character or an escape sequence begins there. What stands between the places that it leads to is visible as
// it is, if it is valid UTF-8.
func Hiding(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		if m := hiding(x); m != 0 {
			if m &^= lineFeeds(x); m != 0 {
				return n + bits.TrailingZeros64(m)/8
			}
		}
	}
	for ; n < len(b); n++ {
		if c := b[n]; (c < ' ' && c != '\n') || c == del || c == firstOfC1 {
			break
		}
	}
	return n
}

// firstOfC1 is the first byte of the controls from U+0080 to U+009F, and of some characters beside them.
const firstOfC1 = 0xc2

// hiding marks the high bit of each byte that is an ASCII control character or firstOfC1.
func hiding(x uint64) uint64 {
	low := x & low7
	y := x ^ firstOfC1*ones
	return (^(low+0x60*ones)|(low+ones))&^x&high | ^((y&low7+low7)|y)&high
}
