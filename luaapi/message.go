package luaapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prochost/prochost/notify/spell"
)

// didYouMean returns the end of a message about word, or "".
func didYouMean(word string, known []string) string {
	if near := spell.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
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
