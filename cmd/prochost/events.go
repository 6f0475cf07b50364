package main

import (
	"context"
	"strconv"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// eventsOptions are the flags of events.
type eventsOptions struct {
	since      string
	types      []string
	session    string
	output     bool
	json       bool
	timestamps bool
	color      string
}

func eventsCommand(a *app) *cobra.Command {
	var opt eventsOptions
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Show everything that happens",
		Long: `Shows what happens in the host, as "prochost up" does, until the host stops. With
--json each event is an object on a line of its own. The first is a snapshot of how
things stand; those that follow are numbered without gaps (seq), so that a program
can go on where it was: --since takes the number of the last one that it has seen.`,
		Example: `  prochost events
  prochost events --output --timestamps
  prochost events --json --type started,ended
  prochost events --json --since 1041`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := api.EventsIn{Output: opt.output, Types: opt.types, Session: opt.session}
			if opt.since != "" {
				n, err := strconv.ParseUint(opt.since, 10, 64)
				if err != nil {
					return usage(cmd, "--since is the number of an event, not %q", opt.since)
				}
				in.Since = &n
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.events(cmd.Context(), s, in, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&opt.output, "output", false, "lines of output too")
	f.StringSliceVar(&opt.types, "type", nil, "only events of `TYPE`; several with commas")
	f.StringVar(&opt.since, "since", "", "begin after the event with the number `SEQ`")
	f.StringVar(&opt.session, "session", "", "notifications of the session `ID`; else those of the project")
	f.BoolVar(&opt.timestamps, "timestamps", false, "put the time before every line")
	jsonVar(cmd, &opt.json, "as JSON, one event per line")
	colorVar(cmd, &opt.color)
	completeWords(cmd, "type", api.EventTypes()...)
	return cmd
}

func (a *app) events(ctx context.Context, s api.Service, in api.EventsIn, opt eventsOptions) error {
	ctx, leave := a.whileRead(ctx)
	defer leave()
	stream, err := s.Events(ctx, in)
	if err != nil {
		return unread(ctx, err)
	}
	defer stream.Close()
	var buf []byte
	if opt.json {
		flush := func() error {
			err := a.write(buf)
			buf = buf[:0]
			return err
		}
		return unread(ctx, pump(ctx, stream, func(e api.Event) (err error) {
			if buf, err = console.AppendJSON(buf, e); err == nil && len(buf) > enough {
				err = flush()
			}
			return err
		}, flush))
	}
	view := a.people(a.stdout, opt.color)
	view.Timestamps, view.Hint = opt.timestamps, false
	out := &outlet{w: a.stdout, lost: func(error) { leave() }}
	newScreen(console.New(view), out, nil).run(ctx, stream)
	return nil
}
