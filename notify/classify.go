package notify

import "github.com/prochost/prochost/manager/proc"

// The build stops here when a reason is added to proc and Classify was not revisited.
var _ [0]struct{} = [proc.NumEndReasons - 5]struct{}{}

// Classify says which kind an end is. Whatever it does not recognise is a Crash.
func Classify(e proc.End) Kind {
	if e.Status() == proc.Killed {
		return Killed
	}
	if e.Success() {
		return Success
	}
	switch e.Reason() {
	case proc.Signaled:
		return Failure
	case proc.Returned, proc.SpawnFailed, proc.NoPID, proc.Lost:
		return Crash
	}
	return Crash
}
