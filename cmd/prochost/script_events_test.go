package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/rogpeppe/go-internal/testscript"
)

// cmdEvents checks that stdout is events, one per line and numbered without gaps, and puts them into words.
func cmdEvents(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 0, "events")
	seq := uint64(0)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var e struct {
			api.Header
			Process      api.Info
			Notification api.Notification
			api.Output
			OK                                       bool
			Added, Removed, Restarted, Updated, Kept []string
			Errors                                   []api.RecipeError
			State                                    string
			Blocking                                 []string
			What, Message                            string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("%q is no JSON: %v", line, err)
		}
		var head api.Header
		ts.Check(json.Unmarshal([]byte(line), &head))
		if head.Time == 0 {
			ts.Fatalf("%q has no time", line)
		}
		if head.Type != "output" {
			if seq++; seq == 1 { // a project goes on counting where its last host may have left off
				seq = head.Seq
			}
			if head.Seq != seq {
				ts.Fatalf("%q: seq is %d, want %d", line, head.Seq, seq)
			}
		}
		var words []any
		p := e.Process
		switch head.Type {
		case "started":
			words = append(words, p.Name)
		case "changed":
			words = append(words, p.Name, p.Status)
			if p.Ready != nil {
				words = append(words, fmt.Sprintf("ready=%v", *p.Ready))
			}
		case "ended":
			words = append(words, p.Name, p.Status, *p.EndReason)
			if p.ExitCode != nil {
				words = append(words, *p.ExitCode)
			}
			if p.Signal != nil {
				words = append(words, p.Signal.Name)
			}
		case "output":
			words = append(words, e.Name, e.Stream, fmt.Sprintf("%d %q", e.Line, e.Text))
		case "notification":
			n := e.Notification
			words = append(words, n.Kind, n.Attention, n.ProcessName)
		case "recipe":
			words = append(words, e.OK)
			for _, list := range []struct {
				word  string
				names []string
			}{{"added", e.Added}, {"removed", e.Removed}, {"restarted", e.Restarted}, {"updated", e.Updated}, {"kept", e.Kept}} {
				if len(list.names) > 0 {
					words = append(words, list.word+"="+strings.Join(list.names, ","))
				}
			}
			for _, r := range e.Errors {
				words = append(words, fmt.Sprintf("%s:%d", r.File, r.Line))
			}
		case "host":
			words = append(words, e.State, strings.Join(e.Blocking, ","))
		case "trouble":
			words = append(words, e.What, e.Message)
		default:
			ts.Fatalf("%q: unknown type", line)
		}
		fmt.Fprintln(ts.Stdout(), strings.TrimSpace(head.Type+" "+strings.TrimSuffix(fmt.Sprintln(words...), "\n")))
	}
}
