package view

import (
	"fmt"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
)

// Line is what is said of one process, on one line. The words may be a sentence that begins with its name.
func Line(name, words string) []byte {
	words = strings.TrimPrefix(words, name+" ")
	return append([]byte(text.Words(name+": "+words, false, maxCell)), '\n')
}

// State says in a few words how a process stands.
func State(p api.Info) string {
	switch {
	case reasonOf(p) != "":
		return reasonOf(p)
	case p.Live() && p.PID != nil:
		return fmt.Sprintf("%s, pid %d", statusCell(p).text, *p.PID)
	}
	return statusCell(p).text
}

// maxCommand is how many characters of a command are shown beside others.
const maxCommand = 48

// Leftovers lists processes by their numbers and commands.
func Leftovers(list []api.Leftover) string {
	words := make([]string, len(list))
	for i, l := range list {
		words[i] = fmt.Sprintf("%d (%s)", l.PID, text.Cut(text.Words(l.Command, false, maxCell), maxCommand))
	}
	return strings.Join(words, ", ")
}
