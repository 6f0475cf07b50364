package main

import (
	"context"
	"slices"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
)

func clearCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clear [NAME…]",
		Short: "Forget processes that have ended, and remove their logs",
		Long: `Removes the records of processes that have ended, with their logs: all of them, or
those of names. What runs is never touched, and neither are its logs.`,
		Example: `  prochost clear
  prochost clear migrate 'smoke-*'`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.clear(cmd.Context(), s, names, asJSON) })
		},
	}
	jsonVar(cmd, &asJSON, "as one JSON object: how many records were removed")
	return cmd
}

func (a *app) clear(ctx context.Context, s api.Service, words []string, asJSON bool) error {
	var out api.ClearOut
	in, some, err := toClear(ctx, s, words)
	if err == nil && some {
		out, err = s.Clear(ctx, in)
	}
	switch {
	case err != nil:
		return err
	case asJSON:
		return a.writeJSON(out)
	}
	return a.write([]byte(notify.Count(out.Cleared, "record") + " removed\n"))
}

// toClear returns the records that are meant: every instance that has ended and bears a name that is meant. some
// is false where there are none, which to the host would mean all.
func toClear(ctx context.Context, s api.Service, words []string) (in api.ClearIn, some bool, err error) {
	if len(words) == 0 {
		return in, true, nil
	}
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return in, false, err
	}
	chosen, err := choose(all, words)
	if err != nil {
		return in, false, err
	}
	ended := slices.DeleteFunc(all, func(p api.Info) bool { return p.ID == "" || p.Live() })
	for _, t := range chosen {
		in.IDs = append(in.IDs, instances(ended, t, words)...)
	}
	slices.Sort(in.IDs)
	in.IDs = slices.Compact(in.IDs)
	return in, len(in.IDs) > 0, nil
}
