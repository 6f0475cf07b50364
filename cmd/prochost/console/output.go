package console

import (
	"iter"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
)

// output shows a line of a process.
func (c *Console) output(o *api.Output) {
	if c.opt.Terse {
		return
	}
	k := stdoutLine
	if o.Stream == "stderr" {
		k = stderrLine
	}
	if c.opt.Bare {
		c.stamp(o.Time)
	} else {
		c.begin(o.Time, o.Name, k)
	}
	c.raw(o.Text)
}

// raw ends a line with what a process or a recipe wrote: with its colours if there are colours, else without.
func (c *Console) raw(line string) {
	switch {
	case plain(line):
		c.buf = append(c.buf, line...)
	case c.opt.Color:
		c.buf = append(c.buf, text.Terminal([]byte(line))...)
	default:
		c.buf = append(c.buf, text.Visible([]byte(line))...)
	}
	c.buf = append(c.buf, '\n')
}

// plain reports whether a line is shown as it is, as most are: it spares them the cleaning.
func plain(line string) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return false
		}
	}
	return true
}

// lines returns the lines of a text; an empty text is one empty line.
func lines(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n")
}
