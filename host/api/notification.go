package api

import "github.com/prochost/prochost/notify"

// Notification is a message in the form of the wire: language-neutral facts, and the words that were chosen.
type Notification struct {
	Number      uint64    `json:"number"`
	Kind        string    `json:"kind"`
	Attention   string    `json:"attention"`
	TriggerTurn bool      `json:"triggerTurn"`
	DeliverAs   string    `json:"deliverAs"`
	ProcessID   string    `json:"processId,omitempty"`
	ProcessName string    `json:"processName,omitempty"`
	Command     string    `json:"command,omitempty"`
	Timestamp   int64     `json:"timestamp"`
	Summary     string    `json:"summary"`
	Body        string    `json:"body,omitempty"`
	Fact        string    `json:"fact"` // the core's own line, whatever the words are
	Status      string    `json:"status,omitempty"`
	ExitCode    *int      `json:"exitCode,omitempty"`
	EndReason   string    `json:"endReason,omitempty"`
	Signal      *Signal   `json:"signal,omitempty"`
	LogMatch    *LogMatch `json:"logMatch,omitempty"`
	Suppressed  int       `json:"suppressed,omitempty"`
	WillRestart bool      `json:"willRestart,omitempty"`
	GaveUp      bool      `json:"gaveUp,omitempty"`
	Blocks      []string  `json:"blocks,omitempty"`
	Session     string    `json:"session,omitempty"`
}

// LogMatch is the line that met a matcher.
type LogMatch struct {
	Pattern      string `json:"pattern"`
	Mode         string `json:"mode"`
	Stream       string `json:"stream"`
	Line         string `json:"line"`
	MatcherIndex int    `json:"matcherIndex"`
}

// NewNotification puts a message into the form of the wire.
func NewNotification(m notify.Message) Notification {
	turn, as := m.Send()
	about, c := m.About(), m.Circumstances()
	n := Notification{
		Number: m.Number(), Kind: m.Kind().String(), Attention: m.AttentionWord(), TriggerTurn: turn, DeliverAs: as.String(),
		ProcessID: string(about.ID), ProcessName: about.Name, Command: about.Command,
		Timestamp: Millis(m.At()), Summary: m.Summary(), Body: m.Body(), Fact: m.Fact(),
		Suppressed: m.Suppressed(), WillRestart: c.WillRestart, GaveUp: c.GaveUp, Blocks: c.Blocks,
	}
	if about.ID != "" {
		n.Status = about.Status.String()
	}
	if e, ok := m.End(); ok {
		code, hasCode := e.ExitCode()
		n.ExitCode = orNull(code, hasCode)
		n.EndReason = e.Reason().String()
		n.Signal = newSignal(e)
	}
	if match, ok := m.Match(); ok {
		n.LogMatch = &LogMatch{
			Pattern: match.Matcher.Pattern, Mode: match.Matcher.Mode.String(), Stream: match.Stream.String(),
			Line: match.CutLine(), MatcherIndex: match.Index,
		}
	}
	return n
}
