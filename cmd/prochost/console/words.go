package console

import (
	"fmt"
	"strings"
	"time"
)

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// maxListed is how many names a line lists.
const maxListed = 8

// list writes names with commas, and of many the first ones.
func list(names []string) string {
	if len(names) > maxListed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
	}
	return strings.Join(names, ", ")
}
