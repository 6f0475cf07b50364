package main

import (
	"context"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// startFlags say how a command is started that goes on by itself.
type startFlags struct {
	commandFlags
	onSuccess, onFailure, onKilled string
	keep                           bool
	followUp                       bool
}

func (s *startFlags) add(cmd *cobra.Command) {
	s.commandFlags.add(cmd)
	levels := []string{"turn", "context", "ignore"}
	chooseVar(cmd, &s.onSuccess, "on-success", "", "how loudly is told that it ended well: `LEVEL` turn, context or ignore", levels...)
	chooseVar(cmd, &s.onFailure, "on-failure", "", "the same for a failure, which is always told: `LEVEL` ignore is as context", levels...)
	chooseVar(cmd, &s.onKilled, "on-killed", "", "the same for an end by a signal from outside: `LEVEL`", levels...)
	f := cmd.Flags()
	f.BoolVar(&s.keep, "keep", false, "it outlives its session")
	f.BoolVar(&s.followUp, "follow-up", false, "tell its end when the agent has come to rest, not in the middle of its work")
}

// given returns a flag that was given and means something for a command alone; "": none was.
func (s *startFlags) given(cmd *cobra.Command) string {
	var own cobra.Command
	new(startFlags).add(&own)
	given := ""
	own.Flags().VisitAll(func(f *pflag.Flag) {
		if cmd.Flags().Changed(f.Name) {
			given = f.Name
		}
	})
	return given
}

func startCommand(a *app) *cobra.Command {
	var flags startFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "start NAME… | start [flags] -- COMMAND…",
		Short: "Start processes of the recipe, or a command",
		Long: `Starts processes of the recipe, and what they depend on; globs are understood.
What runs already is left alone. It returns when each runs, waits for what it
depends on, or has failed to start; the exit code is 1 if one has.

After -- stands a command that no recipe declares. It runs in the background, and
what becomes of it is told as of any process.

` + commandHelp,
		Example: `  prochost start api 'worker-*'
  prochost start -- npm run dev
  prochost start --name tail --match ERROR --repeat -- tail -F /var/log/app.log
  prochost start -e PORT=8081 -- 'go run ./cmd/api 2>&1 | tee api.log'`,
		ValidArgsFunction: a.completeNames(restProcess),
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			switch {
			case dash > 0:
				return usage(cmd, "there are names before -- and a command after it: start one or the other")
			case len(args) == 0:
				return usage(cmd, "say what to start: names, or -- and a command")
			case dash < 0:
				if f := flags.given(cmd); f != "" {
					return usage(cmd, "--%s is for a command, which stands behind --", f)
				}
				return a.withHost(cmd.Context(), func(s api.Service) error { return a.start(cmd.Context(), s, args, asJSON) })
			}
			in, err := a.input(cmd, &flags.commandFlags, args)
			if err != nil {
				return err
			}
			in.Notify.OnSuccess, in.Notify.OnFailure, in.Notify.OnKilled = flags.onSuccess, flags.onFailure, flags.onKilled
			in.Keep = flags.keep
			if flags.followUp {
				in.TurnDelivery = "followUp"
			}
			return a.ensureHost(cmd.Context(), func(s api.Service) error { return a.launch(cmd.Context(), s, in, asJSON) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.add(cmd)
	jsonVar(cmd, &asJSON, "as JSON, one process per line")
	return cmd
}

// start has processes of the recipe run.
func (a *app) start(ctx context.Context, s api.Service, words []string, asJSON bool) error {
	status, err := s.RecipeStatus(ctx, api.Nothing{})
	if err != nil {
		return err
	}
	declared := make([]api.Info, len(status.Processes))
	for i, name := range status.Processes {
		declared[i].Name = name
	}
	targets, err := choose(declared, words)
	if err != nil {
		return err
	}
	return a.each(targets, asJSON, func(t target) (outcome, error) {
		p, err := s.Start(ctx, api.StartIn{Name: t.name})
		return startedOutcome(p), err
	})
}

// launch starts a command.
func (a *app) launch(ctx context.Context, s api.Service, in api.StartIn, asJSON bool) error {
	p, err := s.Start(ctx, in)
	if err != nil {
		return err
	}
	return a.each([]target{{ref: p.ID, name: p.Name, info: p}}, asJSON, func(target) (outcome, error) {
		return startedOutcome(p), nil
	})
}

// startedOutcome is what a start has come to: fine if it runs, is going to, or has ended well already.
func startedOutcome(p api.Info) outcome {
	o := outcome{words: view.State(p), object: p}
	if p.Status == "skipped" || p.EndTime != nil && p.ShellCode() != 0 {
		o.code = exitFailed
	}
	return o
}
