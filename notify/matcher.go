package notify

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/prochost/prochost/manager/proc"
)

const (
	// MaxMatchers is how many matchers a process may have.
	MaxMatchers = 20
	// MaxPattern is the length of a pattern in characters.
	MaxPattern = 500
)

// Matcher watches the lines of a process. It is comparable: two with the same fields are the same.
type Matcher struct {
	Pattern string
	Mode    Mode
	Stream  StreamFilter
	Repeat  bool // fire again, at most every Cooldown
	On      MatchChoice
}

// Mode is how a pattern is read.
type Mode uint8

const (
	Literal Mode = iota // the line contains it
	Regex               // an RE2 expression that matches somewhere in the line
)

// String returns the wire word.
func (m Mode) String() string { return [...]string{"literal", "regex"}[m] }

// ParseMode reads the wire word.
func ParseMode(s string) (Mode, error) {
	switch s {
	case "literal":
		return Literal, nil
	case "regex":
		return Regex, nil
	}
	return 0, fmt.Errorf(`got %q, want "literal" or "regex"`, s)
}

// StreamFilter says which streams a matcher watches.
type StreamFilter uint8

const (
	Both StreamFilter = iota
	OnlyStdout
	OnlyStderr
)

// String returns the wire word.
func (f StreamFilter) String() string { return [...]string{"both", "stdout", "stderr"}[f] }

// ParseStreamFilter reads the wire word.
func ParseStreamFilter(s string) (StreamFilter, error) {
	switch s {
	case "both":
		return Both, nil
	case "stdout":
		return OnlyStdout, nil
	case "stderr":
		return OnlyStderr, nil
	}
	return 0, fmt.Errorf(`got %q, want "stdout", "stderr" or "both"`, s)
}

func (f StreamFilter) admits(s proc.Stream) bool {
	return f == Both || (f == OnlyStdout) == (s == proc.Stdout)
}

// CheckPattern reports what is wrong with a pattern: empty, blank, too long, or no regular expression.
func CheckPattern(pattern string, mode Mode) error {
	switch {
	case pattern == "":
		return fmt.Errorf("is empty")
	case strings.TrimSpace(pattern) == "":
		return fmt.Errorf("is only white space")
	case utf8.RuneCountInString(pattern) > MaxPattern:
		return fmt.Errorf("has %d characters, at most %d are allowed", utf8.RuneCountInString(pattern), MaxPattern)
	}
	if mode == Regex {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Errorf("is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	return nil
}

// CheckMatchers reports the first thing that is wrong with a list of matchers as a *MatcherError.
func CheckMatchers(list []Matcher) error {
	for i, m := range list {
		if i == MaxMatchers {
			return &MatcherError{Index: i, Err: fmt.Errorf("at most %d matchers are allowed", MaxMatchers)}
		}
		if err := CheckPattern(m.Pattern, m.Mode); err != nil {
			return &MatcherError{Index: i, Field: "pattern", Err: err}
		}
	}
	return nil
}

// MatcherError names the place in a list of matchers. The index counts from 0; Path does so too, as the
// wire does.
type MatcherError struct {
	Index int
	Field string // "" where the entry as a whole is wrong
	Err   error
}

// Path returns the place such as "logMatches[2].pattern", counting from base.
func (e *MatcherError) Path(base int) string {
	p := fmt.Sprintf("logMatches[%d]", e.Index+base)
	if e.Field != "" {
		p += "." + e.Field
	}
	return p
}

func (e *MatcherError) Error() string { return e.Path(0) + ": " + e.Err.Error() }
func (e *MatcherError) Unwrap() error { return e.Err }
