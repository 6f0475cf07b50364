package manager

import (
	"os"
	"strconv"
	"strings"
)

// ignoredFromStart returns the signals that this process ignores, also those of which the runtime takes no
// notice.
func ignoredFromStart() signalSet {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if mask, is := strings.CutPrefix(line, "SigIgn:"); is {
			bits, _ := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return signalSet(bits << 1) // its first bit is signal 1
		}
	}
	return 0
}
