package console

// style is how a piece of text looks on a terminal: parameters of SGR, or "" for no difference. Only the sixteen
// colours of the terminal's own theme are used, which are readable on its background.
type style string

const (
	none   style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	loud   style = "1;31"
)

// palette is what names are told apart by. Red is left to what went wrong.
var palette = []style{"36", "33", "35", "32", "34", "96", "93", "95", "92", "94"}

// paint appends text in a style.
func (c *Console) paint(s style, text string) {
	if !c.opt.Color || s == none || text == "" {
		c.buf = append(c.buf, text...)
		return
	}
	c.buf = append(c.buf, "\x1b["...)
	c.buf = append(c.buf, s...)
	c.buf = append(c.buf, 'm')
	c.buf = append(c.buf, text...)
	c.buf = append(c.buf, "\x1b[0m"...)
}
