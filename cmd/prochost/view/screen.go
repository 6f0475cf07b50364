package view

import (
	"bytes"
	"fmt"
)

// Screen is a page in place of what the terminal shows: as many of its lines as there is room for.
func Screen(page []byte, height int) []byte {
	const clear = "\x1b[H\x1b[J" // to the upper left corner, and everything from there
	buf := []byte(clear)
	room := max(height-2, 1) // for the line that says what is missing, and the one with the cursor
	lines := bytes.SplitAfter(bytes.TrimSuffix(page, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		if i == room && len(lines) > room+1 {
			return fmt.Appendf(buf, "… %d more\n", len(lines)-room)
		}
		buf = append(buf, line...)
	}
	return append(buf, '\n')
}
