package notify

import (
	"regexp"
	"strings"
)

// LineFilter returns what reports whether a line of visible text meets a pattern, read as that of a matcher.
func LineFilter(pattern string, mode Mode) (func(line string) bool, error) {
	if err := CheckPattern(pattern, mode); err != nil {
		return nil, err
	}
	if mode == Literal {
		return func(line string) bool { return strings.Contains(line, pattern) }, nil
	}
	return regexp.MustCompile(pattern).MatchString, nil // CheckPattern has compiled it
}
