package main

import (
	"context"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

func listenCommand(a *app) *cobra.Command {
	var (
		all     bool
		session string
		asJSON  bool
		color   string
	)
	cmd := &cobra.Command{
		Use:   "listen",
		Short: "Show a line for whatever asks for attention",
		Long: `Writes one line for each notification that asks for attention, as it comes: its
kind, the process and the words. It is for agents, scripts and people who wait for
news. It ends when the host stops.

"prochost inbox" keeps those of a session until they are taken, "prochost events"
shows everything.`,
		Example: `  prochost listen
  prochost listen | while read -r line; do notify-send "$line"; done
  prochost listen --json | jq -r .processName`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withHost(cmd.Context(), func(s api.Service) error {
				return a.listen(cmd.Context(), s, session, all, asJSON, color)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&all, "all", false, "show what only informs, too")
	f.StringVar(&session, "session", "", "those of the session `ID`; else those of the project")
	jsonVar(cmd, &asJSON, "as JSON, one notification per line")
	colorVar(cmd, &color)
	return cmd
}

func (a *app) listen(ctx context.Context, s api.Service, session string, all, asJSON bool, color string) error {
	ctx, leave := a.whileRead(ctx)
	defer leave()
	stream, err := s.Events(ctx, api.EventsIn{Types: []string{"notification"}, Session: session})
	if err != nil {
		return unread(ctx, err)
	}
	defer stream.Close()
	opt := a.shown(color)
	err = pump(ctx, stream, func(e api.Event) error {
		switch e := e.(type) {
		case *api.Notified:
			switch {
			case e.Notification.Attention != "turn" && !all:
			case asJSON:
				return a.writeJSON(e.Notification)
			default:
				return a.write(view.Notice(e.Notification, opt))
			}
		case *api.Lagged: // whoever reads must know that there may have been something
			if asJSON {
				line, err := console.AppendJSON(nil, e)
				if err != nil {
					return err
				}
				return a.write(line)
			}
			return a.write(view.Line("prochost", "some notifications are missing here, for they came faster than they were read: see \"prochost inbox\""))
		}
		return nil
	}, func() error { return nil })
	return unread(ctx, err)
}
