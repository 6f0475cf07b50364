package host

import (
	"errors"
	"fmt"

	"github.com/prochost/prochost/luaapi"
)

// ErrUnknownName is wrapped when a name was given that no process of the recipe has.
var ErrUnknownName = errors.New("no such process")

// check reports a name or pattern of the selection, or of ExitOn, that no process of p meets.
func (h *Host) check(p *luaapi.Program) error {
	var names []string
	for _, d := range p.Recipe().Processes {
		names = append(names, d.Name)
	}
	wanted := h.opt.Selection.Names
	if h.opt.ExitOn.Name != "" {
		wanted = append(wanted[:len(wanted):len(wanted)], h.opt.ExitOn.Name)
	}
	for _, w := range wanted {
		known := false
		for _, name := range names {
			known = known || h.opt.Selection.Matches(w, name)
		}
		if !known {
			return fmt.Errorf("%q: %w; the recipe declares: %s", w, ErrUnknownName, listed(names))
		}
	}
	return nil
}

func listed(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	s := ""
	for i, n := range names {
		switch {
		case i == most:
			return fmt.Sprintf("%s and %d more", s, len(names)-most)
		case i > 0:
			s += ", "
		}
		s += n
	}
	return s
}
