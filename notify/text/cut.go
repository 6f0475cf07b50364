package text

import "unicode/utf8"

const dots = "..."

// Cut returns s, or if it has more than max characters, its first max-3 and "...".
func Cut(s string, max int) string {
	if len(s) <= max || utf8.RuneCountInString(s) <= max {
		return s
	}
	keep := max - len(dots)
	if keep <= 0 {
		return dots[:max]
	}
	for i := range s {
		if keep == 0 {
			return s[:i] + dots
		}
		keep--
	}
	return s
}

// cutBytes returns s, or if it is longer than max bytes, as many whole characters as leave room for
// "...", and that.
func cutBytes(s string, max int) string {
	if len(s) <= max {
		return s
	}
	keep := max - len(dots)
	if keep <= 0 {
		return dots[:max]
	}
	return s[:runeStart(s, keep)] + dots
}
