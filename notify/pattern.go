package notify

import (
	"bytes"
	"regexp"

	"github.com/prochost/prochost/notify/text"
)

// A Pattern finds the lines of a log that a matcher of the same pattern would match, among the raw lines as they were
// written. Unlike a matcher it remembers nothing, and it looks at empty lines and at those that are too long for one.
// It is used by one goroutine at a time.
type Pattern struct {
	literal []byte
	re      *regexp.Regexp // nil for a literal
	needs   *traces        // of what is in every line that matches; nil if nothing is known
	viewer  text.Viewer
}

// NewPattern compiles a pattern; see CheckPattern for what is refused.
func NewPattern(pattern string, mode Mode) (*Pattern, error) {
	if err := CheckPattern(pattern, mode); err != nil {
		return nil, err
	}
	p := &Pattern{literal: []byte(pattern)}
	if mode == Regex {
		p.re = regexp.MustCompile(pattern)
	}
	if needs := (Matcher{Pattern: pattern, Mode: mode}).needs(); needs != nil && leavesTraces(needs) {
		p.needs = newTraces(needs)
	}
	return p, nil
}

// Match reports whether the visible text of a raw line, given without its end, matches.
func (p *Pattern) Match(raw []byte) bool {
	line := p.viewer.Visible(raw)
	if p.re == nil {
		return bytes.Contains(line, p.literal)
	}
	return p.re.Match(line)
}

// Find returns where the first line that matches begins and ends among lines, which are raw, each with its line feed.
// The line feed is not part of it; carriage returns before it are, though Match does not get them. If there is none,
// both are len(lines).
func (p *Pattern) Find(lines []byte) (start, end int) {
	for at := 0; at < len(lines); at = end + 1 {
		hit := at
		if p.needs != nil {
			if hit = p.needs.next(lines, at); hit == len(lines) {
				break
			}
		}
		start = at + bytes.LastIndexByte(lines[at:hit], '\n') + 1
		end = start + lineLength(lines[start:])
		if p.Match(bytes.TrimRight(lines[start:end], "\r")) {
			return start, end
		}
	}
	return len(lines), len(lines)
}

// lineLength returns the length of the first line of b, without its end.
func lineLength(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return n
	}
	return len(b)
}
