package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// waitOptions are the flags of wait.
type waitOptions struct {
	what    string
	regex   bool
	timeout *time.Duration
	json    bool
}

func waitCommand(a *app) *cobra.Command {
	var opt waitOptions
	cmd := &cobra.Command{
		Use:   "wait NAME…",
		Short: "Wait until processes are ready, have ended, or have written a line",
		Long: `Waits for what --for says, of every process that is named, and says what happened:

  exit      it has ended. The exit code is 0 if it ended well, else 1.
  ready     it is ready
  PATTERN   a line holds this; one that is there already counts

The exit code is 1 if that can no longer come, as when it ended before it was ready,
and 124 if the time is over.`,
		Example: `  prochost wait db --for ready --timeout 30s
  prochost wait migrate                 until it has ended
  prochost wait api --for 'listening on'
  prochost wait api --for 'listening on :\d+' --regex`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case len(names) == 0:
				return usage(cmd, "say for which processes")
			case opt.what == "":
				return usage(cmd, "--for is exit, ready or a pattern")
			case opt.regex && (opt.what == "exit" || opt.what == "ready"):
				return usage(cmd, "--regex is for a pattern; to wait for a line that says %q, write --for '(%s)' --regex", opt.what, opt.what)
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.wait(cmd.Context(), s, names, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&opt.what, "for", "exit", "wait for `WHAT`: exit, ready, or a line that holds this pattern")
	f.BoolVar(&opt.regex, "regex", false, "the pattern is a regular expression")
	spanVar(cmd, &opt.timeout, "timeout", "wait no longer than `DURATION`, such as 30s")
	jsonVar(cmd, &opt.json, "as JSON, one object per line: what happened")
	completeWords(cmd, "for", "exit", "ready")
	return cmd
}

func (a *app) wait(ctx context.Context, s api.Service, names []string, opt waitOptions) error {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return err
	}
	targets, err := choose(all, names)
	if err != nil {
		return err
	}
	in := api.WaitIn{TimeoutMs: millisOf(opt.timeout)}
	switch opt.what {
	case "exit":
		in.For = "ended"
	case "ready":
		in.For = "ready"
	default:
		if in.Pattern = opt.what; opt.regex {
			in.Mode = "regex"
		}
	}
	return a.each(targets, opt.json, func(t target) (outcome, error) {
		in := in
		in.ID = t.ref
		out, err := s.Wait(ctx, in)
		return waitedOutcome(out, in), err
	})
}

// waitedOutcome says what happened, and whether it is what was waited for.
func waitedOutcome(out api.WaitOut, in api.WaitIn) outcome {
	o := outcome{object: out}
	state := view.State(out.Info)
	switch {
	case out.What == "timeout":
		o.words, o.code = "the time is over; "+state, exitTimeout
	case out.What == "matched":
		o.words = out.Line
	case out.What == "ready":
		o.words = "ready"
	case in.For == "ended":
		if o.words = state; out.Info.EndTime == nil || out.Info.ShellCode() != 0 {
			o.code = exitFailed
		}
	case in.For == "ready":
		o.words, o.code = fmt.Sprintf("%s, before it was ready", state), exitFailed
	default:
		o.words, o.code = fmt.Sprintf("%s, without such a line", state), exitFailed
	}
	return o
}
