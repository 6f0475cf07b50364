package view

import (
	"fmt"

	"github.com/prochost/prochost/host/api"
)

// Watches is the table of the log watches of a process.
func Watches(list []api.MatcherIn, opt Options) []byte {
	t := table{columns: []column{
		{title: "INDEX", right: true}, {title: "MODE", rank: 2}, {title: "STREAM", rank: 4}, {title: "REPEAT", rank: 3},
		{title: "ON", rank: 1}, {title: "PATTERN", min: 16},
	}}
	for i, m := range list {
		repeat := "no"
		if m.Repeat {
			repeat = "yes"
		}
		t.rows = append(t.rows, []cell{
			{text: fmt.Sprint(i)}, {text: m.Mode}, {text: m.Stream}, {text: repeat}, {text: m.On}, {text: m.Pattern},
		})
	}
	return t.render(opt)
}
