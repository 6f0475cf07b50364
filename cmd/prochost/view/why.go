package view

import (
	"strings"

	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
)

// Why is what explains the state of a process: a sentence, and below it what that rests on.
func Why(w api.WhyOut, opt Options) []byte {
	buf := ink.Append(nil, opt.Color, ink.Bold, sentence(w.Text))
	buf = append(buf, '\n')
	for i, s := range w.Chain {
		buf = append(buf, strings.Repeat("   ", i)...)
		buf = ink.Append(buf, opt.Color, ink.Dim, "└─ ")
		buf = append(buf, sentence(s)...)
		buf = append(buf, '\n')
	}
	return buf
}

func sentence(s string) string { return text.Words(s, false, maxCell) }
