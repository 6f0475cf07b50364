package console

import (
	"fmt"
	"strings"
	"time"
)

// duration writes d as exactly as a person wants it: 40ms, 2.1s, 3m5s.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		d = d.Round(time.Millisecond)
	case d < 10*time.Second:
		d = d.Round(100 * time.Millisecond)
	default:
		d = d.Round(time.Second)
	}
	return max(d, 0).String()
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// Count writes a number of things: "1 process", "3 processes".
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// maxListed is how many names a line lists.
const maxListed = 8

// list writes names with commas, and of many the first ones.
func list(names []string) string {
	if len(names) > maxListed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
	}
	return strings.Join(names, ", ")
}
