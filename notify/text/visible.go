package text

// Visible returns the visible text of one raw line, given without its end.
func Visible(raw []byte) string {
	if plainSpan(raw) == len(raw) {
		return string(raw)
	}
	var c cleaner
	c.whole(raw)
	return string(c.out)
}

// whole takes all of a line that was given without its end.
func (c *cleaner) whole(raw []byte) {
	c.write(raw)
	if c.cr {
		c.overwrite()
	}
	c.endLine()
}
