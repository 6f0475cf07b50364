package scan

import "math"

// rarity is how rare a byte is in logs: about one byte in 2^rarity is this one.
func rarity(c byte) int { return int(rarities[c]) }

var rarities = func() (t [256]uint8) {
	for c := range t {
		t[c] = 9 // punctuation that is seldom, control characters
	}
	set := func(bits uint8, chars string) {
		for i := range len(chars) {
			t[chars[i]] = bits
		}
	}
	set(4, " etaonirs0123456789.:-/=")
	set(5, "cdfghlmpu,[]\"_'()")
	set(6, "bkvwyABCDEFGHIKLMNOPRSTUVW")
	set(7, "jqxzJQXYZ")
	for c := 0x80; c < len(t); c++ {
		t[c] = 4 // a text that has any of them may well be made of them
	}
	return t
}()

// foldedRarity is the rarity of c where grams are compared.
func foldedRarity(c byte) int { return min(rarity(c), rarity(c^0x20)) }

// useful is the frequency up to which literals are worth to be searched for, in occurrences a byte: with
// lines of a hundred bytes, about one line in five.
const useful = 1.0 / (1 << 9)

// frequency estimates how often one of the literals occurs in logs, in occurrences a byte. More than
// sixteen common characters make a literal no rarer.
func frequency(list []Literal) float64 {
	sum := 0.0
	for _, l := range list {
		bits := 0
		for i := range len(l.Text) {
			if l.Fold {
				bits += foldedRarity(l.Text[i])
			} else {
				bits += rarity(l.Text[i])
			}
		}
		sum += math.Ldexp(1, -min(bits, 64))
	}
	return sum
}

// price weighs the frequency of literals with their number: each of them has to be searched for.
func price(list []Literal) float64 { return frequency(list) * float64(len(list)) }
