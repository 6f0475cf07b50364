package view

import (
	"fmt"
	"strings"

	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
)

// maxNotice is how long a notification on one line is, in bytes.
const maxNotice = 480

// Notice is a notification on one line: its kind, whom it is about, the words, and where those are a hook's the core's
// own line too.
func Notice(n api.Notification, opt Options) []byte {
	head := n.Kind
	if n.ProcessName != "" {
		head += " " + n.ProcessName
	}
	words := n.Summary
	if n.Fact != "" && n.Fact != n.Summary {
		words += " (" + n.Fact + ")"
	}
	style := ink.Bold
	if n.Attention != "turn" {
		style = ink.Dim
	}
	buf := ink.Append(nil, opt.Color, style, text.Words(head+": "+words, false, maxNotice))
	return append(buf, '\n')
}

// Notices are notifications, each behind its number, and below it the rest of its words.
func Notices(list []api.Notification, opt Options) []byte {
	var buf []byte
	for _, n := range list {
		number := fmt.Sprint(n.Number)
		buf = ink.Append(buf, opt.Color, ink.Dim, number)
		buf = append(buf, ' ')
		buf = append(buf, Notice(n, opt)...)
		for line := range strings.Lines(n.Body) {
			buf = append(buf, strings.Repeat(" ", len(number)+1)...)
			buf = append(buf, text.Visible([]byte(strings.TrimRight(line, "\r\n")))...)
			buf = append(buf, '\n')
		}
	}
	return buf
}
