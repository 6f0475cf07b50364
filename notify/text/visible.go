package text

// Visible returns the visible text of one raw line, given without its end.
func Visible(raw []byte) string {
	var v Viewer
	return string(v.Visible(raw))
}

// A Viewer gives the visible text of many raw lines, one after the other, in memory that it uses again. The zero
// Viewer is ready.
type Viewer struct {
	c cleaner
}

// Visible returns the visible text of one raw line, given without its end. It may be raw itself, or else it is valid
// until the next call.
func (v *Viewer) Visible(raw []byte) []byte {
	if plainSpan(raw) == len(raw) {
		return raw
	}
	v.c.out, v.c.start = v.c.out[:0], 0
	if cap(v.c.out) > 2*maxReady {
		v.c.out = nil
	}
	v.c.clearLine()
	v.c.whole(raw)
	return v.c.out
}

// whole takes all of a line that was given without its end.
func (c *cleaner) whole(raw []byte) {
	c.write(raw)
	if c.cr {
		c.overwrite()
	}
	c.endLine()
}
