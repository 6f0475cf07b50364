package main

import (
	"context"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/spf13/cobra"
)

func hostsCommand(a *app) *cobra.Command {
	var asJSON bool
	var color string
	cmd := &cobra.Command{
		Use:   "hosts",
		Short: "Show all hosts of this user",
		Long: `Shows the hosts of this user, of whichever project. One that does not answer is
"silent"; one that was killed and whose record is still there is "gone", which is no
obstacle to the next one.`,
		Example: `  prochost hosts
  prochost hosts --json | jq -r '.[].project'`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.hosts(cmd.Context(), asJSON, color) },
	}
	cmd.Flags().SortFlags = false
	jsonVar(cmd, &asJSON, "as a JSON array")
	colorVar(cmd, &color)
	return cmd
}

func (a *app) hosts(ctx context.Context, asJSON bool, color string) error {
	list, err := a.reach.hosts(ctx)
	switch {
	case err != nil:
		return err
	case asJSON && list == nil:
		return a.writeJSON([]view.Host{})
	case asJSON:
		return a.writeJSON(list)
	case len(list) == 0:
		a.say("no host of yours runs")
		return nil
	}
	return a.write(view.Hosts(list, time.Now(), a.shown(color)))
}
