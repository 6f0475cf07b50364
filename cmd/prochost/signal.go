package main

import (
	"context"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// signalWords are the signals that a shell completes.
var signalWords = []string{"HUP", "INT", "QUIT", "USR1", "USR2", "TERM", "CONT", "STOP", "WINCH", "KILL"}

func signalCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "signal SIGNAL NAME…",
		Short: "Send a signal to processes",
		Long: `Sends a signal to the whole group of each process that runs. It is no stop: an end
that comes of it is told as any other, and a process that its recipe restarts is
started again. To stop one, use "stop".`,
		Example: `  prochost signal HUP nginx
  prochost signal USR1 'worker-*'
  prochost signal 28 editor`,
		ValidArgsFunction: func(cmd *cobra.Command, given []string, to string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(given) == 0 {
				return signalWords, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completeNames(liveProcess)(cmd, given[1:], to)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage(cmd, "say which signal, and after it to which processes")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error {
				return a.signal(cmd.Context(), s, args[0], args[1:], asJSON)
			})
		},
	}
	jsonVar(cmd, &asJSON, "as JSON, one process per line")
	return cmd
}

func (a *app) signal(ctx context.Context, s api.Service, signal string, names []string, asJSON bool) error {
	targets, err := liveTargets(ctx, s, names)
	if err != nil {
		return err
	}
	return a.each(targets, asJSON, func(t target) (outcome, error) {
		p, err := s.Signal(ctx, api.SignalIn{ID: t.ref, Signal: signal})
		return outcome{words: "signalled; " + view.State(p), object: p}, err
	})
}

// liveTargets returns what is meant by names; of what globs mean only that which runs. There is at least one.
func liveTargets(ctx context.Context, s api.Service, words []string) ([]target, error) {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return nil, err
	}
	chosen, err := choose(all, words)
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, t := range chosen {
		if t.info.Live() || namedBy(words, t) {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return nil, errNoneRuns
	}
	return targets, nil
}
