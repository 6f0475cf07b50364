package scan

import (
	"encoding/binary"
	"math"
)

const (
	maxGram   = 4  // bytes of a gram, as many as are loaded at a time
	maxWindow = 16 // with more, hardly any byte is left out that is not already
	tableBits = 15
	maxGrams  = 1 << tableBits / 32 // more would fill the table
	// fold maps ASCII letters of either case to one, and some other bytes to one another.
	fold = 0x20202020
)

// MaxGroups is how many groups of literals a Set may have.
const MaxGroups = 32

// Literal is a text to search for. It is not empty.
type Literal struct {
	Text string
	Fold bool // ASCII letters are found in either case; Text has them in lower case
}

// Set searches for many literals at once. It is not changed by searching, so it may be shared. The nil
// Set finds nothing.
type Set struct {
	table    [1 << (tableBits - 6)]uint64 // a bit for each hash of a gram
	first    [256]uint32                  // by the low bits of the hash, the entry to begin with
	entries  []entry                      // entries[0] is none
	literals []member
	mask     uint32 // the bytes of a gram
	gram     int    // length of a gram
	stride   int    // from one gram of the text that is looked at to the next
}

// entry is a gram in the window of a literal.
type entry struct {
	gram    uint32
	next    uint32 // entry with the same low bits of the hash, 0 if there is none
	literal uint16
	before  uint8 // bytes of the literal in front of the gram
}

type member struct {
	Literal
	group uint8
}

// New returns a Set that searches for the literals of all groups. The index of a group is the number of
// its bit in the results. It panics if there are more than MaxGroups, an empty literal, or over a thousand
// literals.
func New(groups [][]Literal) *Set {
	if len(groups) > MaxGroups {
		panic("scan: too many groups")
	}
	s := &Set{}
	window := maxWindow
	for g, list := range groups {
		for _, l := range list {
			window = min(window, len(l.Text))
			s.literals = append(s.literals, member{l, uint8(g)})
		}
	}
	n := len(s.literals)
	switch {
	case n == 0:
		return nil
	case window == 0:
		panic("scan: empty literal")
	case n > maxGrams:
		panic("scan: too many literals")
	}
	s.gram = gramFor(window)
	s.mask = uint32(1<<(8*s.gram) - 1)
	s.stride = max(min(window-s.gram+1, maxGrams/n), 1) // a window of one byte has none
	s.entries = make([]entry, 1, 1+n*s.stride)
	for k, l := range s.literals {
		if len(l.Text) == 1 {
			s.addByte(l.Text[0], uint16(k))
			continue
		}
		at := rarestWindow(l.Text, s.gram, s.stride)
		for i := at; i < at+s.stride; i++ {
			s.add(entry{gram: s.load([]byte(l.Text[i : i+s.gram])), literal: uint16(k), before: uint8(i)})
		}
	}
	return s
}

// gramFor returns the length of the grams for windows of a length: longer grams are found by chance less
// often, shorter ones need to be looked at less often.
func gramFor(window int) int {
	switch {
	case window <= 3: // of one byte: with any byte behind it
		return 2
	case window < 10:
		return 3
	}
	return maxGram
}

// rarestWindow returns where in text the window of so many grams begins whose commonest gram is rarest.
func rarestWindow(text string, gram, grams int) int {
	const farEnough = 64 // beyond it nothing much better is to be expected
	best, at := -1, 0
	last := min(len(text)-gram-grams+1, farEnough)
	var bits [farEnough + maxWindow]int
	for i := range last + grams {
		for _, c := range []byte(text[i : i+gram]) {
			bits[i] += foldedRarity(c)
		}
	}
	for i := range last + 1 {
		commonest := math.MaxInt
		for _, b := range bits[i : i+grams] {
			commonest = min(commonest, b)
		}
		if commonest > best {
			best, at = commonest, i
		}
	}
	return at
}

func (s *Set) add(e entry) {
	h := hash(e.gram)
	s.table[h/64] |= 1 << (h % 64)
	e.next = s.first[h%256]
	s.first[h%256] = uint32(len(s.entries))
	s.entries = append(s.entries, e)
}

// addByte adds a literal of one byte, which is the start of many grams.
func (s *Set) addByte(c byte, literal uint16) {
	for next := range 256 {
		if next|fold&0xff == next {
			s.add(entry{gram: s.load([]byte{c, byte(next)}), literal: literal})
		}
	}
}

// load returns the gram at the start of b. At the end of a text it is filled up with what stands for
// spaces; a comparison finds out.
func (s *Set) load(b []byte) uint32 {
	var x [maxGram]byte
	copy(x[:], b)
	return (binary.LittleEndian.Uint32(x[:]) | fold) & s.mask
}

func hash(gram uint32) uint32 { return gram * 0x9e3779b1 >> (32 - tableBits) }

// Next returns a place at or after from that lies in an occurrence of a literal, and the groups found
// there, as bits, without those of skip. To find more, go on with the place after it: what was not
// reported so far will be. If there is nothing more, at is len(text) and groups is 0.
func (s *Set) Next(text []byte, from int, skip uint32) (at int, groups uint32) {
	if s == nil {
		return len(text), 0
	}
	i, stride, mask := from, s.stride, s.mask
	for ; i+maxGram <= len(text); i += stride {
		gram := (binary.LittleEndian.Uint32(text[i:]) | fold) & mask
		if h := hash(gram); s.table[h/64]>>(h%64)&1 != 0 {
			if groups := s.compare(text, i, gram, skip); groups != 0 {
				return i, groups
			}
		}
	}
	for ; i < len(text); i += stride {
		if groups := s.compare(text, i, s.load(text[i:]), skip); groups != 0 {
			return i, groups
		}
	}
	return len(text), 0
}

// compare returns the groups, without those of skip, of which a literal has its gram at i.
func (s *Set) compare(text []byte, i int, gram, skip uint32) (groups uint32) {
	for n := s.first[hash(gram)%256]; n != 0; {
		e := &s.entries[n]
		n = e.next
		if e.gram != gram {
			continue
		}
		l := &s.literals[e.literal]
		if (skip|groups)>>l.group&1 != 0 {
			continue
		}
		if at := i - int(e.before); at >= 0 && len(text)-at >= len(l.Text) && l.Begins(text[at:at+len(l.Text)]) {
			groups |= 1 << l.group
		}
	}
	return groups
}

// Begins reports whether the literal begins with b, which is no longer than it.
func (l *Literal) Begins(b []byte) bool {
	if !l.Fold {
		return string(b) == l.Text[:len(b)]
	}
	for i, c := range b {
		if lower(c) != l.Text[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
