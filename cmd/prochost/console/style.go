package console

import "github.com/prochost/prochost/cmd/prochost/ink"

type style = ink.Style

const (
	none   = ink.None
	bold   = ink.Bold
	dim    = ink.Dim
	red    = ink.Red
	green  = ink.Green
	yellow = ink.Yellow
	loud   = ink.Loud
)

// palette is what names are told apart by. Red is left to what went wrong.
var palette = []style{"36", "33", "35", "32", "34", "96", "93", "95", "92", "94"}

// paint appends text in a style.
func (c *Console) paint(s style, text string) {
	c.buf = ink.Append(c.buf, c.opt.Color, s, text)
}
