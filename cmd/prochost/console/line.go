package console

import (
	"time"

	"github.com/prochost/prochost/notify/text"
)

// kind is what a line is about: its symbol, and the style of the symbol.
type kind struct {
	symbol string
	style  style
}

// Every symbol is one cell wide, also where ambiguous characters are wide.
var (
	stdoutLine = kind{"|", dim}
	stderrLine = kind{"|", red}
	moreWords  = kind{":", dim}
	coreFact   = kind{"=", dim}
	started    = kind{"▸", dim}
	ready      = kind{"✓", green}
	finished   = kind{"✓", green}
	failed     = kind{"✗", loud}
	stopped    = kind{"▪", dim}
	killed     = kind{"▪", yellow}
	matched    = kind{"*", yellow}
	recipe     = kind{"↻", dim}
	trouble    = kind{"!", yellow}
)

// stamp begins a line, with its time where that is wanted.
func (c *Console) stamp(at int64) {
	if c.wipe {
		c.buf = append(c.buf, "\r\x1b[K"...)
		c.wipe = false
	}
	if c.opt.Timestamps {
		c.paint(dim, time.UnixMilli(at).In(c.opt.Location).Format("15:04:05.000"))
		c.buf = append(c.buf, ' ')
	}
}

// begin appends everything of a line that stands before its text. An empty name is the host.
func (c *Console) begin(at int64, name string, k kind) {
	c.stamp(at)
	var l label
	if name != "" {
		l = c.gutter.label(name)
	}
	c.paint(l.color, l.text)
	c.buf = append(c.buf, c.gutter.pad(l)...)
	if c.gutter.width > 0 {
		c.buf = append(c.buf, ' ')
	}
	c.paint(k.style, k.symbol)
	c.buf = append(c.buf, ' ')
}

// line appends a line whose text, which may hold what others wrote, is made safe to show.
func (c *Console) line(at int64, name string, k kind, s style, txt string) {
	c.begin(at, name, k)
	c.paint(s, text.Visible([]byte(txt)))
	c.buf = append(c.buf, '\n')
}
