package spell

import "strings"

// Nearest returns the one of known that word is most likely a misspelling of, or "". Case counts little; a
// third of the characters may be wrong.
func Nearest(word string, known []string) string {
	const longest = 64
	if len(word) > longest {
		return ""
	}
	best, distance := "", (len(word)+2)/3+1
	for _, k := range known {
		if len(k) > longest || k == word {
			continue
		}
		d := edits(strings.ToLower(word), strings.ToLower(k))
		if d < distance || d == distance && best != "" && k < best {
			best, distance = k, d
		}
	}
	return best
}

// edits is how many insertions, deletions, substitutions and swaps of neighbours lead from a to b.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
