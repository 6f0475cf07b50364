package luaapi

import (
	"fmt"
	"slices"
	"strings"
)

// maxSuggest is the length in characters beyond which a word is no slip of the fingers.
const maxSuggest = 64

// suggest returns the word of known that is meant by word, or "". Case is no difference; beyond that a
// third of the letters may be wrong. Of two that are as near the first wins.
func suggest(word string, known []string) string {
	a := []rune(strings.ToLower(word))
	if len(a) > maxSuggest {
		return ""
	}
	best, nearest := "", (len(a)+2)/3+1
	for _, k := range known {
		if d := distance(a, []rune(strings.ToLower(k))); d < nearest && k != word {
			best, nearest = k, d
		}
	}
	return best
}

// didYouMean returns the end of a message about word, or "".
func didYouMean(word string, known []string) string {
	if s := suggest(word, known); s != "" {
		return fmt.Sprintf("; did you mean %q?", s)
	}
	return ""
}

// distance is the optimal string alignment distance: insertions, deletions, substitutions and swaps of
// neighbours.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// quoteList writes words as `"a", "b" or "c"`.
func quoteList(words []string) string {
	quoted := quoteEach(words)
	n := len(quoted)
	if n < 2 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:n-1], ", ") + " or " + quoted[n-1]
}

func quoteEach(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return quoted
}

// quote writes s for a message: quoted, and cut if it is long.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(slices.Concat(r[:most-3], []rune("...")))
	}
	return fmt.Sprintf("%q", s)
}
