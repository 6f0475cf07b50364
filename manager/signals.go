package manager

import (
	"os"
	"os/signal"
	"syscall"
)

// unread takes signals that nobody reads.
var unread = make(chan os.Signal, 1)

// defaultSignals makes the next child start with the default action for every signal. A signal that this
// process ignores would be ignored by the child for good, and a stop by it would do nothing; one that it
// catches is reset by exec. To catch without looking is to ignore, for this process.
func defaultSignals() {
	for s := syscall.Signal(1); s < 32; s++ {
		if signal.Ignored(s) {
			signal.Notify(unread, s)
		}
	}
}

// catchIgnored does the same for signals that were ignored from the start and that the runtime does not know of.
func catchIgnored(mask signalSet) {
	for s := syscall.Signal(1); s < 32; s++ {
		if mask.has(s) {
			signal.Notify(unread, s)
		}
	}
}
