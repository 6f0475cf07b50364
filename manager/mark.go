package manager

import (
	"strings"

	"github.com/prochost/prochost/manager/proc"
)

// Every child finds the id of its instance in idVar. Descendants inherit it, which tells whose they are when
// they have left everything else behind. If the host runs under a host itself, outerVar keeps the ids around
// it, so that the outer host recognises what the inner one leaves.
const (
	idVar    = "PROCHOST_ID"
	outerVar = "PROCHOST_OUTER_IDS"
)

// mark returns env with the marks of id.
func mark(env []string, id proc.ID) []string {
	marked := make([]string, 0, len(env)+2)
	var outer []string
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case idVar, outerVar:
			outer = append(outer, strings.Fields(value)...)
		default:
			marked = append(marked, e)
		}
	}
	if len(outer) > 0 {
		marked = append(marked, outerVar+"="+strings.Join(outer, " "))
	}
	return append(marked, idVar+"="+string(id))
}

// marks returns the ids in an environment block, entries of which end with a NUL, innermost first.
func marks(environ string) []proc.ID {
	var inner, outer []proc.ID
	for e := range strings.SplitSeq(environ, "\x00") {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case idVar:
			inner = append(inner, proc.ID(value))
		case outerVar:
			for _, id := range strings.Fields(value) {
				outer = append(outer, proc.ID(id))
			}
		}
	}
	return append(inner, outer...)
}
