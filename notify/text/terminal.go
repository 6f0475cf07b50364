package text

const reset = "\x1b[0m"

// Terminal returns one raw line, given without its end, as it may be written to a terminal: its visible
// text with its colours (SGR), and behind them a reset. Nothing else of what steers a terminal is left.
// What is no terminal is shown Visible.
func Terminal(raw []byte) string {
	if plainSpan(raw) == len(raw) {
		return string(raw)
	}
	c := cleaner{keepSGR: true}
	c.whole(raw)
	if len(c.marks) == 0 {
		return string(c.out)
	}
	var b []byte
	from := 0
	for _, m := range c.marks {
		b = append(b, c.out[from:m.at]...)
		from = m.at
		b = append(b, "\x1b["...)
		b = append(b, m.params...)
		b = append(b, 'm')
	}
	b = append(b, c.out[from:]...)
	if last := c.marks[len(c.marks)-1]; !last.plain() || last.at != len(c.out) {
		b = append(b, reset...)
	}
	return string(b)
}
