package main

import (
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// watchFlags are log watches as flags give them: patterns, and what holds for all of them.
type watchFlags struct {
	patterns []string
	regex    bool
	stream   string
	repeat   bool
	on       string
}

func (w *watchFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&w.patterns, "match", nil, "tell of a line that holds `PATTERN`; may be given several times")
	f.BoolVar(&w.regex, "regex", false, "each PATTERN is a regular expression")
	chooseVar(cmd, &w.stream, "stream", "both", "look at `STREAM`: both, stdout or stderr", "both", "stdout", "stderr")
	f.BoolVar(&w.repeat, "repeat", false, "tell of every such line, not of the first alone; after each it sleeps for 15 s")
	chooseVar(cmd, &w.on, "on", "turn", "how loudly: `LEVEL` turn (it asks for attention), context or ignore", "turn", "context", "ignore")
}

func (w *watchFlags) mode() string {
	if w.regex {
		return "regex"
	}
	return "literal"
}

// matchers are the watches of a process that is to be started.
func (w *watchFlags) matchers() []api.MatcherIn {
	var list []api.MatcherIn
	for _, p := range w.patterns {
		list = append(list, api.MatcherIn{Pattern: p, Mode: w.mode(), Stream: w.stream, Repeat: w.repeat, On: w.on})
	}
	return list
}

// items are the watches that a running process is to get.
func (w *watchFlags) items() []api.WatchItemIn {
	var list []api.WatchItemIn
	for _, m := range w.matchers() {
		list = append(list, api.WatchItemIn{Pattern: m.Pattern, Mode: &m.Mode, Stream: &m.Stream, Repeat: &m.Repeat, On: &m.On})
	}
	return list
}
