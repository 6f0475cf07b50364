// Package ink is how a piece of text looks on a terminal. Only the sixteen colours of the terminal's own theme are
// used, which are readable on its background.
package ink

// Style is the parameters of SGR, or "" for no difference.
type Style string

const (
	None   Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Loud   Style = "1;31"
)

// Append appends text in a style, and behind it a reset. Without color it is the text alone.
func Append(buf []byte, color bool, s Style, text string) []byte {
	if !color || s == None || text == "" {
		return append(buf, text...)
	}
	buf = append(buf, "\x1b["...)
	buf = append(buf, s...)
	buf = append(buf, 'm')
	buf = append(buf, text...)
	return append(buf, "\x1b[0m"...)
}
