package view

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/notify/text"
)

// Options of what is shown.
type Options struct {
	Width int  // of the terminal, in cells; 0: there is none
	Color bool // colours
}

// column is one column of a table.
type column struct {
	title string
	right bool // numbers end where the column ends
	min   int  // cells to which it may be cut; 0: it is never cut
	rank  int  // where there is no room, columns go by falling rank; 0: it stays
}

// cell is one place of a table. Where nothing stands a dash is shown.
type cell struct {
	text  string
	style ink.Style
	lead  string // stands before the text as it is
}

// table is rows of cells below columns.
type table struct {
	columns []column
	rows    [][]cell // as many cells as there are columns
	bare    bool     // without the titles, and without dashes
}

const (
	gap     = 2    // cells between two columns
	maxCell = 4096 // bytes of a text
)

// render returns the table, a line for the titles and one for each row.
func (t table) render(opt Options) []byte {
	rows, natural, empty := t.measure()
	widths := fit(t.columns, natural, empty, opt.Width)
	var buf []byte
	if !t.bare {
		titles := make([]cell, len(t.columns))
		for i, c := range t.columns {
			titles[i] = cell{text: c.title, style: ink.Bold}
		}
		buf = t.line(buf, titles, widths, opt.Color)
	}
	for _, row := range rows {
		buf = t.line(buf, row, widths, opt.Color)
	}
	return buf
}

// width is how wide the table is where there is room for all of it.
func (t table) width() int {
	_, natural, _ := t.measure()
	return total(natural)
}

// measure returns the rows as they are shown, how wide each column would be, and which say nothing.
func (t table) measure() (rows [][]cell, natural []int, empty []bool) {
	rows, natural, empty = make([][]cell, len(t.rows)), make([]int, len(t.columns)), make([]bool, len(t.columns))
	for i, c := range t.columns {
		empty[i] = true
		if !t.bare {
			natural[i] = displaywidth.String(c.title)
		}
	}
	for n, row := range t.rows {
		rows[n] = make([]cell, len(row))
		for i, c := range row {
			c.text = text.Words(c.text, false, maxCell)
			switch {
			case c.text != "":
				empty[i] = false
			case !t.bare && c.lead == "":
				c = cell{text: "-", style: ink.Dim}
			}
			natural[i] = max(natural[i], displaywidth.String(c.lead)+displaywidth.String(c.text))
			rows[n][i] = c
		}
	}
	return rows, natural, empty
}

// line appends one line; a column of width 0 is left out. No line ends in spaces.
func (t table) line(buf []byte, row []cell, widths []int, color bool) []byte {
	pending := 0 // spaces that stand before the next text
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		lead := displaywidth.TruncateString(c.lead, widths[i], "…")
		shown := displaywidth.TruncateString(c.text, widths[i]-displaywidth.String(lead), "…")
		free := widths[i] - displaywidth.String(lead) - displaywidth.String(shown)
		if t.columns[i].right {
			pending, free = pending+free, 0
		}
		if shown != "" || lead != "" {
			buf = append(buf, strings.Repeat(" ", pending)...)
			pending = 0
		}
		buf = ink.Append(buf, color, ink.Dim, lead)
		buf = ink.Append(buf, color, c.style, shown)
		pending += free + gap
	}
	return append(buf, '\n')
}
