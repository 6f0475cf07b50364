package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exactly makes a group of literals that do not fold case.
func exactly(texts ...string) []Literal {
	var list []Literal
	for _, s := range texts {
		list = append(list, Literal{Text: s})
	}
	return list
}

// found returns the groups that a set finds in all of text.
func found(s *Set, text []byte) (groups uint32) {
	for at := 0; ; at++ {
		var more uint32
		if at, more = s.Next(text, at, groups); more == 0 {
			return groups
		}
		groups |= more
	}
}

// occurs is the slow answer to the same question, for one literal.
func occurs(l Literal, text []byte) bool {
	if !l.Fold {
		return bytes.Contains(text, []byte(l.Text))
	}
	return bytes.Contains(lowered(text), []byte(l.Text))
}

func lowered(text []byte) []byte {
	out := bytes.Clone(text)
	for i := range out {
		out[i] = lower(out[i])
	}
	return out
}

func TestSetFindsGroups(t *testing.T) {
	for _, tt := range []struct {
		name   string
		groups [][]Literal
		text   string
		want   uint32
	}{
		{"no literal", nil, "abc", 0},
		{"groups without literals", [][]Literal{nil, nil}, "abc", 0},
		{"empty text", [][]Literal{exactly("a")}, "", 0},
		{"one byte", [][]Literal{exactly("c")}, "abc", 1},
		{"two bytes at the end", [][]Literal{exactly("bc")}, "abc", 1},
		{"all of the text", [][]Literal{exactly("abcd")}, "abcd", 1},
		{"longer than the text", [][]Literal{exactly("abcde")}, "abcd", 0},
		{"cut off at the end", [][]Literal{exactly("abcdefgh")}, "xx abcdefg", 0},
		{"cut off at the start", [][]Literal{exactly("abcdefgh")}, "bcdefgh xx", 0},
		{"several groups", [][]Literal{exactly("one"), exactly("two"), exactly("three")}, "three one", 0b101},
		{"a group of alternatives", [][]Literal{nil, exactly("one", "two")}, "two", 0b10},
		{"the same in two groups", [][]Literal{exactly("one"), exactly("one")}, "one", 0b11},
		{"one inside another", [][]Literal{exactly("error"), exactly("rr"), exactly("an error here")}, "an error here", 0b111},
		{"case counts", [][]Literal{exactly("error"), exactly("ERROR")}, "Error", 0},
		{"case folds", [][]Literal{{{Text: "error", Fold: true}}, exactly("eRRoR")}, "an eRRoR", 0b11},
		{"only letters fold", [][]Literal{{{Text: "[a]", Fold: true}}}, "{A} [A} {a]", 0},
		{"not ASCII", [][]Literal{exactly("сервер"), exactly("✓")}, "наш сервер ✓", 0b11},
		{"bytes that are no text", [][]Literal{exactly("\xff\x00")}, "a\xff\x00", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, found(New(tt.groups), []byte(tt.text)))
		})
	}
}

func TestNextSkipsGroups(t *testing.T) {
	s := New([][]Literal{exactly("one"), exactly("two")})
	text := []byte("one two one")
	at, groups := s.Next(text, 0, 0)
	assert.Equal(t, uint32(1), groups)
	assert.Less(t, at, 3, "inside the occurrence")
	at, groups = s.Next(text, 0, 1)
	assert.Equal(t, uint32(2), groups)
	assert.True(t, at >= 4 && at < 7, "place %d is not inside the occurrence", at)
	at, groups = s.Next(text, 0, 3)
	assert.Equal(t, uint32(0), groups)
	assert.Equal(t, len(text), at)
}

// Every place where a long literal may stand is covered, whatever else determines the stride.
func TestNextMissesNoPlace(t *testing.T) {
	for n := 1; n <= 40; n++ {
		literal := strings.Repeat("abcdefgh", 5)[:n]
		s := New([][]Literal{exactly(literal), exactly(strings.Repeat("z", 24))})
		for before := range 40 {
			text := []byte(strings.Repeat(".", before) + literal + strings.Repeat(".", 7))
			for from := range before + 1 {
				at, groups := s.Next(text, from, 0)
				require.Equal(t, uint32(1), groups, "%q from %d", text, from)
				require.True(t, at >= before && at < before+n, "place %d in %q", at, text)
			}
		}
	}
}

// Hundreds of literals still find each its own.
func TestManyLiterals(t *testing.T) {
	groups := make([][]Literal, MaxGroups)
	for g := range groups {
		for i := range 32 {
			groups[g] = append(groups[g], Literal{Text: fmt.Sprintf("literal %d of %d.", i, g)})
		}
	}
	s := New(groups)
	for g := range groups {
		for _, l := range groups[g] {
			assert.Equal(t, uint32(1)<<g, found(s, []byte("a "+l.Text+" b")))
		}
	}
	assert.Zero(t, found(s, []byte("a literal 32 of 7. b")))
}

func TestNewRefuses(t *testing.T) {
	assert.PanicsWithValue(t, "scan: too many groups", func() { New(make([][]Literal, MaxGroups+1)) })
	assert.PanicsWithValue(t, "scan: empty literal", func() { New([][]Literal{exactly("a", "")}) })
	assert.PanicsWithValue(t, "scan: too many literals", func() { New([][]Literal{exactly(strings.Split(strings.Repeat("a", 2000), "")...)}) })
}

func TestWindowIsWhereTheLiteralIsRare(t *testing.T) {
	assert.Equal(t, 4, rarestWindow("    #{};    ", 3, 2))
	assert.Equal(t, 0, rarestWindow("abc", 3, 1))
	assert.Equal(t, 0, rarestWindow("aaaaaaaa", 3, 2))
	assert.LessOrEqual(t, rarestWindow(strings.Repeat("e", 400)+"#####", 3, 2), 64)
}

// randomText draws from few letters, so that what is searched for is often there or nearly so.
func randomText(r *rand.Rand, letters string, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return b
}

func FuzzSet(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, []byte("some text with an error in it"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, text []byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		letters := []string{"ab", "aAbB", "abcdefgh ", "kKsS{[@`", "\x00 \xc3\xa9a"}[r.IntN(5)]
		if r.IntN(3) > 0 {
			text = randomText(r, letters, r.IntN(300))
		}
		groups := make([][]Literal, r.IntN(MaxGroups+1))
		for g := range groups {
			for range r.IntN(3) {
				n := 1 + r.IntN([]int{2, 5, 20, 100}[r.IntN(4)])
				l := Literal{Text: string(randomText(r, letters, n)), Fold: r.IntN(2) == 0}
				if len(text) > n && r.IntN(2) == 0 {
					at := r.IntN(len(text) - n)
					l.Text = string(text[at : at+n])
				}
				if l.Fold {
					l.Text = string(lowered([]byte(l.Text)))
				}
				groups[g] = append(groups[g], l)
			}
		}
		var want uint32
		for g, list := range groups {
			for _, l := range list {
				if occurs(l, text) {
					want |= 1 << g
				}
			}
		}
		s := New(groups)
		if got := found(s, text); got != want {
			t.Fatalf("found %b in %q, want %b of %v", got, text, want, groups)
		}
		at, hit := s.Next(text, 0, 0)
		for g, list := range groups {
			for _, l := range list {
				// Nothing ends before the first hit, and the hit is inside what was hit.
				if at < len(text) && occurs(l, text[:at]) {
					t.Fatalf("%q occurs in %q before the first hit at %d", l.Text, text, at)
				}
			}
			if hit>>g&1 != 0 && !covers(list, text, at) {
				t.Fatalf("no literal of %v is in %q around %d", list, text, at)
			}
		}
	})
}

// covers reports whether a literal of the list occurs in text so that at lies in it.
func covers(list []Literal, text []byte, at int) bool {
	for _, l := range list {
		if occurs(l, text[max(at-len(l.Text)+1, 0):min(at+len(l.Text), len(text))]) {
			return true
		}
	}
	return false
}
