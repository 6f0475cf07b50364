package main

import (
	"context"
	"errors"

	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

func restartCommand(a *app) *cobra.Command {
	var all, force, asJSON bool
	cmd := &cobra.Command{
		Use:   "restart NAME…",
		Short: "Stop processes and start them again",
		Long: `Ends each process as "stop" does, and starts the next instance when nothing of the
last one is left. What has ended is started again. It returns when each runs, or
could not be run; then the exit code is 1. Processes that depend on it are left
alone.`,
		Example: `  prochost restart api
  prochost restart 'worker-*'
  prochost restart --all                what runs; the rest stays as it is`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			if all == (len(names) > 0) {
				return usage(cmd, "say what to restart: names, or --all")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error {
				return a.restart(cmd.Context(), s, names, force, asJSON)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&all, "all", false, "restart everything that runs")
	f.BoolVar(&force, "force", false, "end it by SIGKILL at once")
	jsonVar(cmd, &asJSON, "as JSON, one process per line: the next instance")
	return cmd
}

func (a *app) restart(ctx context.Context, s api.Service, names []string, force, asJSON bool) error {
	targets, err := toRestart(ctx, s, names)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		a.say("nothing runs that is to be restarted")
		return nil
	}
	slow := a.watchSlow(targets)
	defer slow.close()
	return a.each(targets, asJSON, func(t target) (outcome, error) {
		slow.begin(t)
		defer slow.end(t)
		p, err := s.Restart(ctx, api.RestartIn{ID: t.ref, Force: force})
		return startedOutcome(p), err
	})
}

// toRestart returns what is meant; without names it is what runs.
func toRestart(ctx context.Context, s api.Service, names []string) ([]target, error) {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		return choose(all, names)
	}
	targets, err := choose(all, []string{"*"})
	if none := (*unknownName)(nil); errors.As(err, &none) {
		return nil, nil
	}
	var live []target
	for _, t := range targets {
		if t.info.Live() {
			live = append(live, t)
		}
	}
	return live, err
}
