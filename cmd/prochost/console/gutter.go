package console

import (
	"hash/fnv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/prochost/prochost/notify/text"
)

// maxGutter is how many cells of a name are shown.
const maxGutter = 24

// gutter is the column of names. It is as wide as the widest name known, and never gets narrower: lines that are
// written later stay aligned with those that are there.
type gutter struct {
	width  int
	labels map[string]label
	used   map[style]bool
}

// label is a name as the gutter shows it.
type label struct {
	text  string // without what a terminal would act on, cut to maxGutter
	cells int
	color style
}

// know makes names known, which may widen the gutter.
func (g *gutter) know(names ...string) {
	for _, n := range names {
		g.label(n)
	}
}

func (g *gutter) label(name string) label {
	if l, ok := g.labels[name]; ok {
		return l
	}
	if g.labels == nil {
		g.labels, g.used = map[string]label{}, map[style]bool{}
	}
	shown := displaywidth.TruncateString(text.Words(name, false, 1024), maxGutter, "…")
	l := label{text: shown, cells: displaywidth.String(shown), color: g.color(name)}
	g.width = max(g.width, l.cells)
	g.labels[name] = l
	return l
}

// color picks the colour of a name: the same in every run, unless a name that came before has it, while there are
// enough for all.
func (g *gutter) color(name string) style {
	h := fnv.New32a()
	h.Write([]byte(name))
	first := int(h.Sum32() % uint32(len(palette)))
	for i := range palette {
		if s := palette[(first+i)%len(palette)]; !g.used[s] {
			g.used[s] = true
			return s
		}
	}
	return palette[first]
}

// pad is the space behind a label.
func (g *gutter) pad(l label) string {
	return spaces(g.width - l.cells)
}

func spaces(n int) string {
	return strings.Repeat(" ", max(n, 0))
}
