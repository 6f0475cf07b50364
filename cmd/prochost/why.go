package main

import (
	"context"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

func whyCommand(a *app) *cobra.Command {
	var asJSON bool
	var color string
	cmd := &cobra.Command{
		Use:   "why NAME…",
		Short: "Explain why a process is as it is",
		Long: `Says why a process runs or does not: what it waits for and what that waits for,
which dependency failed, when it is started again, how it ended and who asked for
that.`,
		Example: `  prochost why web
  prochost why '*' --json`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return usage(cmd, "say of which process")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.why(cmd.Context(), s, names, asJSON, color) })
		},
	}
	cmd.Flags().SortFlags = false
	jsonVar(cmd, &asJSON, "as JSON, one object per line")
	colorVar(cmd, &color)
	return cmd
}

func (a *app) why(ctx context.Context, s api.Service, names []string, asJSON bool, color string) error {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return err
	}
	targets, err := choose(all, names)
	if err != nil {
		return err
	}
	for _, t := range targets {
		out, err := s.Why(ctx, api.Ref{ID: t.ref})
		switch {
		case err != nil:
			return err
		case asJSON:
			err = a.writeJSON(out)
		default:
			err = a.write(view.Why(out, a.shown(color)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
