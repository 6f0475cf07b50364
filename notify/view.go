package notify

import "time"

// View is what a hook sees of a Notification: a copy, in which nothing leads back.
type View struct {
	Kind      string
	Attention string
	Summary   string // the built-in words
	Process   ProcessView
	ExitCode  *int
	Signal    string // "SIGKILL", or "" for none
	EndReason string
	Match     *MatchView
	Tail      []string // the last lines of output, plain
	Time      time.Time
}

// ProcessView is the process in a View. It is zero in a summary or a notice.
type ProcessView struct {
	ID, Name, Command, Dir string
	PID                    int
	Restarts               int
	Uptime                 time.Duration
}

// MatchView is the log match in a View.
type MatchView struct {
	Pattern, Stream, Line string
	Captures              []string
}

// View copies what a hook may see. tail is taken as it is and must be the caller's own copy.
func (n Notification) View(tail []string) View {
	v := View{
		Kind:      n.kind.String(),
		Attention: n.AttentionWord(),
		Summary:   n.Fact(),
		Tail:      tail,
		Time:      n.at,
		Process: ProcessView{
			ID: string(n.about.ID), Name: n.about.Name, Command: n.about.Command, Dir: n.about.Dir,
			PID: n.about.PID, Restarts: n.c.Restarts, Uptime: n.uptime(),
		},
	}
	if n.kind.Lifecycle() {
		v.EndReason = n.end.Reason().String()
		if code, ok := n.end.ExitCode(); ok {
			v.ExitCode = &code
		}
		if s, ok := n.end.Signal(); ok {
			v.Signal = SignalName(s)
		}
	}
	if n.kind == LogMatch {
		v.Match = &MatchView{
			Pattern: n.match.Matcher.Pattern, Stream: n.match.Stream.String(), Line: n.match.CutLine(),
			Captures: append([]string(nil), n.match.Captures...),
		}
	}
	return v
}

func (n Notification) uptime() time.Duration {
	switch {
	case n.about.Started.IsZero():
		return 0
	case n.kind.Lifecycle() && !n.about.Ended.IsZero():
		return n.about.Ended.Sub(n.about.Started)
	}
	return n.at.Sub(n.about.Started)
}
