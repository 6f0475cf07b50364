package notify

import "fmt"

// Kind says what a notification is about.
type Kind uint8

const (
	Crash         Kind = iota // it returned a bad exit code, never ran, or vanished
	Failure                   // it died of its own fault, without an exit code
	Killed                    // a signal from outside, or a stop, ended it
	Success                   // it returned 0 or a code that counts as success
	LogMatch                  // a line of its output met a matcher
	Suppressed                // log matches beyond the limit, counted
	RecipeError               // a notice: the recipe is broken and the last good one stays
	HostRestarted             // a notice: what ended or was adopted while the host was gone
	NumKinds      int  = iota
)

var kindWords = [NumKinds]string{"crash", "failure", "killed", "success", "log_match", "log_match_suppressed", "recipe_error", "host_restarted"}

// Lifecycle reports whether k is about the end of a process. Lifecycle notifications are never limited and
// always retried.
func (k Kind) Lifecycle() bool { return k <= Success }

// String returns the wire word.
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}
