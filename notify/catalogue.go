package notify

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
	"golang.org/x/sys/unix"
)

// Every word of the core that a reader sees stands in this file.

const maxFact = 400 // bytes; a fact holds names and a command's error, which may be long

// Fact is the core's own line about n. It always goes out, whatever words stand beside it.
func (n Notification) Fact() string { return text.Words(n.fact(), false, maxFact) }

func (n Notification) fact() string {
	name := n.about.Name
	switch n.kind {
	case LogMatch:
		return fmt.Sprintf("%s wrote to %s: %s", name, n.match.Stream, n.match.CutLine())
	case Suppressed:
		return fmt.Sprintf("Suppressed %d log-match notifications: more than %d in %s", n.suppressed, MaxMatchesPerWindow, Duration(Window))
	case RecipeError:
		return "recipe broken, the last good one stays in force: " + n.notice
	case HostRestarted:
		return "the host was restarted: " + n.notice
	}
	s := name + " " + n.endPhrase()
	if n.about.PID != 0 {
		s += " after " + Duration(n.uptime())
	}
	if n.stopped {
		s += ", " + stopWords[n.stoppedBy]
	}
	switch {
	case n.c.WillRestart && n.c.RestartDelay > 0:
		s += "; restarts in " + Duration(n.c.RestartDelay)
	case n.c.WillRestart:
		s += "; restarts"
	case n.c.GaveUp && n.c.Restarts == 0:
		s += "; gave up, for no restart is allowed"
	case n.c.GaveUp:
		s += fmt.Sprintf("; gave up after %s", Count(n.c.Restarts, "restart"))
	}
	if len(n.c.Blocks) > 0 {
		s += "; keeps from starting: " + strings.Join(n.c.Blocks, ", ")
	}
	if len(n.leftovers) > 0 {
		s += fmt.Sprintf("; left %s behind", Count(len(n.leftovers), "process"))
	}
	return s
}

func (n Notification) endPhrase() string {
	code, hasCode := n.end.ExitCode()
	sig, _ := n.end.Signal()
	switch n.end.Reason() {
	case proc.SpawnFailed:
		// The cause says of whom it speaks, and so does the line.
		return "could not be started: " + strings.TrimPrefix(n.end.Cause(), fmt.Sprintf("start %q: ", n.about.Name))
	case proc.NoPID:
		return "could not be started: the system gave no process id"
	case proc.Lost:
		return "is gone without an exit status"
	case proc.Signaled:
		switch {
		case n.outOfMemory:
			return "was killed by the kernel's out-of-memory killer"
		case n.kind == Failure:
			return "died of " + signalPhrase(sig)
		case n.stopped:
			return "was stopped by " + SignalName(sig)
		}
		return "was killed by " + SignalName(sig)
	}
	switch {
	case n.kind == Success && code == 0 && !n.stopped:
		return "finished"
	case n.kind == Success && code == 0:
		return "ended with exit code 0"
	case n.kind == Success:
		return fmt.Sprintf("finished with exit code %d (a success)", code)
	case hasCode && n.stopped:
		return fmt.Sprintf("ended with exit code %d", code)
	}
	return fmt.Sprintf("crashed with exit code %d", code)
}

var stopWords = [proc.NumCauses]string{
	proc.ByUser:     "as asked",
	proc.ByShutdown: "as the host shuts down",
	proc.ByReload:   "as the recipe changed",
	proc.ByRestart:  "to be restarted",
	proc.ByExitOn:   "as another end ends the rest",
}

// SignalName is the name in full, such as SIGKILL.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}

// SignalDescription is a few words, such as "segmentation fault".
func SignalDescription(s syscall.Signal) string { return s.String() }

func signalPhrase(s syscall.Signal) string {
	name, words := SignalName(s), SignalDescription(s)
	if strings.HasPrefix(words, "signal ") {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, words)
}

// maxMatchLine is the length of a matched line in a notification, in characters.
const maxMatchLine = 160

// CutLine is the line as a notification carries it.
func (m Match) CutLine() string { return text.Cut(m.Line, maxMatchLine) }

// Count writes a number of things: 1 process, 3 processes.
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Duration writes d as a person would: 40ms, 2.1s, 3m 5s, 2h 7m.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0ms"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 10*time.Second && d%time.Second >= 100*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return strings.TrimSuffix(fmt.Sprintf("%dm %ds", int(d.Minutes()), int(d.Seconds())%60), " 0s")
	}
	return strings.TrimSuffix(fmt.Sprintf("%dh %dm", int(d.Hours()), int(d.Minutes())%60), " 0m")
}
