package view

import (
	"github.com/prochost/prochost/cmd/prochost/ink"
)

// Finding is what a look at the surroundings has found in one place.
type Finding struct {
	What  string `json:"what"`
	State string `json:"state"` // ok, warn or bad
	Words string `json:"words"`
	Help  string `json:"help,omitempty"` // what mends it
}

// Findings shows what was found, and below what is not as it should be what mends it.
func Findings(list []Finding, opt Options) []byte {
	t := table{bare: true, columns: []column{{}, {}, {}}}
	for _, f := range list {
		sign, style := "✓", ink.Green
		switch f.State {
		case "warn":
			sign, style = "!", ink.Yellow
		case "bad":
			sign, style = "✗", ink.Loud
		}
		t.rows = append(t.rows, []cell{{text: sign, style: style}, {text: f.What}, {text: f.Words}})
		if f.Help != "" {
			t.rows = append(t.rows, []cell{{}, {}, {text: f.Help, style: ink.Dim, lead: "  → "}})
		}
	}
	return t.render(Options{Color: opt.Color}) // words are wrapped by the terminal rather than cut
}
