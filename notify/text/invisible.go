package text

import "unicode"

func isC1(r rune) bool { return r >= 0x80 && r <= 0x9f }

// hidden reports whether r, after prev, shows nothing of its own or changes how others are shown: control
// characters, bidirectional controls, zero-width and tag characters, line and paragraph separators,
// noncharacters. prev is the character before it that is kept, 0 at the start. The selector that makes
// a character an emoji, or plain, is part of that character.
func hidden(prev, r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	if r == 0xfe0e || r == 0xfe0f {
		return !takesSelector(prev)
	}
	return unicode.Is(unicode.Cc, r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.In(r, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(unicode.Noncharacter_Code_Point, r)
}

func takesSelector(r rune) bool {
	if r < 0x80 {
		return r >= '0' && r <= '9' || r == '#' || r == '*'
	}
	return !unicode.IsSpace(r) && !hidden(0, r)
}

// blank reports whether r shows nothing.
func blank(r rune) bool {
	return unicode.IsSpace(r) || r == '\u2800' // the empty braille pattern
}
