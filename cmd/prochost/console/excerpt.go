package console

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
)

// maxExcerpt is how many cells of a line of source are shown.
const maxExcerpt = 120

// excerpt returns the line of source that an error is about, and under it a mark where the column is known.
func (c *Console) excerpt(dir string, e api.RecipeError) []string {
	if c.opt.Source == nil || e.Line == 0 {
		return nil
	}
	src, err := c.opt.Source(filepath.Join(dir, e.File))
	if err != nil {
		return nil
	}
	line, ok := nth(src, e.Line)
	if !ok || len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	number := fmt.Sprintf("%5d", e.Line)
	out := []string{number + " | " + displaywidth.TruncateString(text.Visible(line), maxExcerpt, "…")}
	if e.Column > 0 && e.Column <= len(line)+1 {
		before := displaywidth.String(text.Visible(line[:e.Column-1]))
		if before < maxExcerpt {
			out = append(out, strings.Repeat(" ", len(number))+" | "+strings.Repeat(" ", before)+"^")
		}
	}
	return out
}

// nth returns the n-th line of a text, counting from 1, without its end.
func nth(src []byte, n int) (line []byte, ok bool) {
	for l := range bytes.Lines(src) {
		if n--; n == 0 {
			return bytes.TrimRight(l, "\r\n"), true
		}
	}
	return nil, false
}
