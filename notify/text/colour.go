package text

import "strings"

// maxSGR is the length of the longest colour sequence that is kept, in bytes of parameters.
const maxSGR = 64

// A mark is a colour sequence (SGR) that stands before out[at].
type mark struct {
	at     int
	params string
}

// resets reports whether the sequence begins with a reset, so that nothing before it lasts.
func (m mark) resets() bool {
	return m.plain() || strings.HasPrefix(m.params, ";") || strings.HasPrefix(m.params, "0;")
}

// plain reports whether the sequence is a reset and nothing more.
func (m mark) plain() bool { return m.params == "" || m.params == "0" }

// mark keeps the colour sequence that params holds, unless it is another sequence that ends in m.
func (c *cleaner) mark() {
	if len(c.params) > maxSGR {
		return
	}
	for _, k := range c.params {
		if k < '0' || k > ';' {
			return
		}
	}
	c.marks = append(c.marks, mark{at: len(c.out), params: string(c.params)})
}

// lasting returns the marks that still have effect at the start of a line whose text was discarded.
func lasting(marks []mark) []mark {
	for i := len(marks) - 1; i >= 0; i-- {
		if marks[i].resets() {
			marks = append(marks[:0], marks[i:]...)
			break
		}
	}
	if len(marks) > 0 && marks[0].plain() {
		marks = append(marks[:0], marks[1:]...)
	}
	for i := range marks {
		marks[i].at = 0
	}
	return marks
}
