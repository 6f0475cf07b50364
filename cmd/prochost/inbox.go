package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
)

// inboxOptions are the flags of inbox.
type inboxOptions struct {
	session string
	take    bool
	ack     uint64
	wait    *time.Duration
	max     int
	json    bool
	color   string
}

func inboxCommand(a *app) *cobra.Command {
	var opt inboxOptions
	cmd := &cobra.Command{
		Use:   "inbox",
		Short: "Show the notifications that nobody has taken yet",
		Long: `Shows the notifications of a session that are not acknowledged, oldest first, each
with its number. They stay until somebody acknowledges them: --take does so once they
are shown, --ack N does for all up to number N. The session need not be named where
there is but one.`,
		Example: `  prochost inbox
  prochost inbox --take --wait 10m      waits until there is one
  prochost inbox --session sess_1 --json
  prochost inbox --ack 17`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ack := cmd.Flags().Changed("ack")
			if ack && (opt.take || opt.wait != nil || cmd.Flags().Changed("max")) {
				return usage(cmd, "--ack shows nothing: it has no use for --take, --wait and --max")
			}
			if opt.max < 1 {
				return usage(cmd, "--max is at least 1")
			}
			return a.withHost(cmd.Context(), func(s api.Service) (err error) {
				if opt.session, err = theSession(cmd.Context(), s, opt.session); err != nil {
					return err
				}
				if ack {
					return a.acknowledge(cmd.Context(), s, opt)
				}
				return a.inbox(cmd.Context(), s, opt)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&opt.session, "session", "", "that of the session `ID`; needed where there are several")
	f.BoolVar(&opt.take, "take", false, "acknowledge what is shown")
	f.Uint64Var(&opt.ack, "ack", 0, "acknowledge all up to and with number `N`, and show nothing")
	spanVar(cmd, &opt.wait, "wait", "if there is none, wait so long for one: `DURATION` such as 10m")
	f.IntVar(&opt.max, "max", 100, "show `N` at most")
	jsonVar(cmd, &opt.json, "as one JSON object: the notifications, and whether there are more")
	colorVar(cmd, &opt.color)
	return cmd
}

// theSession returns the session that is meant: the one that is named, else the only one.
func theSession(ctx context.Context, s api.Service, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	all, err := s.SessionList(ctx, api.Nothing{})
	switch {
	case err != nil:
		return "", err
	case len(all) == 0:
		return "", errNoSession
	case len(all) == 1:
		return all[0].ID, nil
	}
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = strings.TrimSpace(fmt.Sprintf("%s %s %s", one.ID, one.Agent, one.Label))
	}
	return "", &badUse{fmt.Errorf("there are %d sessions: name one by --session:\n  %s", len(all), strings.Join(words, "\n  "))}
}

// errNoSession says that nobody has an inbox.
var errNoSession = errors.New("no agent has a session, and so there is no inbox; \"prochost listen\" shows news as it comes")

func (a *app) inbox(ctx context.Context, s api.Service, opt inboxOptions) error {
	in := api.InboxTakeIn{Session: opt.session, Max: opt.max}
	if ms := millisOf(opt.wait); ms != nil {
		in.WaitMs = *ms
	}
	out, err := s.InboxTake(ctx, in)
	if err != nil {
		return err
	}
	if opt.json {
		err = a.writeJSON(out)
	} else {
		err = a.write(view.Notices(out.Notifications, a.shown(opt.color)))
	}
	if err != nil { // what nobody has read is not acknowledged
		return err
	}
	if n := len(out.Notifications); n > 0 && opt.take {
		last := out.Notifications[n-1].Number
		if _, err := s.InboxAck(ctx, api.InboxAckIn{Session: opt.session, UpTo: last}); err != nil {
			return fmt.Errorf("acknowledge up to %d: %w", last, err)
		}
	}
	if out.More && !opt.json {
		a.say("there are more")
	}
	return nil
}

func (a *app) acknowledge(ctx context.Context, s api.Service, opt inboxOptions) error {
	out, err := s.InboxAck(ctx, api.InboxAckIn{Session: opt.session, UpTo: opt.ack})
	switch {
	case err != nil:
		return err
	case opt.json:
		return a.writeJSON(out)
	}
	return a.write(fmt.Appendf(nil, "%s acknowledged, %d left\n", notify.Count(out.Acked, "notification"), out.Pending))
}
