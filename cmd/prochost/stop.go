package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
)

// stopOptions are the flags of stop.
type stopOptions struct {
	all    bool
	noKill bool
	force  bool
	signal string
	grace  *time.Duration
	json   bool
}

func stopCommand(a *app) *cobra.Command {
	var opt stopOptions
	cmd := &cobra.Command{
		Use:   "stop NAME…",
		Short: "Stop processes, and wait until they are gone",
		Long: `Sends each process its stop signal, and SIGKILL when its grace time is over; both
as its recipe says where nothing else is given. The signals go to the whole
group. It returns when nothing of them is left, and says so where something is.

Of several, those are stopped first that depend on others. What is stopped stays
stopped until somebody starts it, also if it was about to be started again.

With --no-kill there is one signal and no SIGKILL; what does not end within the
grace time is left as it is, and the exit code is 124.`,
		Example: `  prochost stop api 'worker-*'
  prochost stop --all
  prochost stop --grace 30s db
  prochost stop --force stuck           SIGKILL at once
  prochost stop --no-kill --signal INT --grace 1s repl`,
		ValidArgsFunction: a.completeNames(liveProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case opt.all && len(names) > 0, !opt.all && len(names) == 0:
				return usage(cmd, "say what to stop: names, or --all; \"prochost down\" stops the host too")
			case opt.noKill && opt.force:
				return usage(cmd, "--no-kill and --force contradict each other")
			case opt.force && (opt.signal != "" || opt.grace != nil):
				return usage(cmd, "--force sends SIGKILL at once: there is no other signal and no grace time")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.stop(cmd.Context(), s, names, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&opt.all, "all", false, "stop everything that runs; the host stays")
	f.StringVar(&opt.signal, "signal", "", "send `SIGNAL`, such as INT, in place of the stop signal")
	spanVar(cmd, &opt.grace, "grace", "wait so long for the end, `DURATION` such as 10s")
	f.BoolVar(&opt.force, "force", false, "send SIGKILL at once")
	f.BoolVar(&opt.noKill, "no-kill", false, "never send SIGKILL: one signal (SIGTERM), and then wait (3s)")
	jsonVar(cmd, &opt.json, "as JSON, one result per line")
	completeWords(cmd, "signal", signalWords...)
	return cmd
}

func (a *app) stop(ctx context.Context, s api.Service, names []string, opt stopOptions) error {
	targets, err := toStop(ctx, s, names)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		a.say("nothing runs that is to be stopped")
		return nil
	}
	order, err := orderOf(ctx, s, targets)
	if err != nil {
		return err
	}
	slow := a.watchSlow(targets)
	defer slow.close()
	return a.each(targets, opt.json, func(t target) (outcome, error) {
		order.await(t)
		defer order.done(t)
		slow.begin(t)
		defer slow.end(t)
		out, err := stopOne(ctx, s, t, opt)
		return stoppedOutcome(out, t.info.Live()), err
	})
}

// toStop returns what is meant: of what a glob or --all means, that which runs or is about to.
func toStop(ctx context.Context, s api.Service, names []string) ([]target, error) {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{"*"}
		if len(all) == 0 {
			return nil, nil
		}
	}
	chosen, err := choose(all, names)
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, t := range chosen {
		if namedBy(names, t) || t.info.Live() || t.info.Status == "waiting" || t.info.Status == "backoff" {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

func stopOne(ctx context.Context, s api.Service, t target, opt stopOptions) (api.StopOut, error) {
	if opt.noKill {
		return s.Kill(ctx, api.KillIn{ID: t.ref, Signal: opt.signal, TimeoutMs: millisOf(opt.grace)})
	}
	return s.Stop(ctx, api.StopIn{ID: t.ref, Signal: opt.signal, GraceMs: millisOf(opt.grace), Force: opt.force})
}

// stoppedOutcome says what a stop has come to, of something that ran or did not.
func stoppedOutcome(out api.StopOut, ran bool) outcome {
	o := outcome{object: out}
	p := out.Info
	switch {
	case !out.OK && out.Reason == "timeout":
		o.words, o.code = "still runs: its time to end is over", exitTimeout
	case !out.OK:
		o.words, o.code = "could not be ended", exitFailed
	case !ran && p.Why != "":
		o.words = p.Why
	case !ran || p.EndTime == nil:
		o.words = "does not run"
	default:
		o.words = endedWords(p)
		if out.Killed {
			o.words += ", as its grace time was over"
		}
	}
	if len(out.Survivors) > 0 {
		o.words += "; still there: " + view.Leftovers(out.Survivors)
	}
	if len(out.Escaped) > 0 {
		o.words += "; out of reach: " + view.Leftovers(out.Escaped)
	}
	return o
}

// endedWords says how something that was asked to end has ended.
func endedWords(p api.Info) string {
	words := "ended"
	switch {
	case p.Signal != nil:
		words = "stopped by " + p.Signal.Name
	case p.ExitCode != nil:
		words = fmt.Sprintf("ended with exit code %d", *p.ExitCode)
	}
	if p.EndTime != nil && p.StartTime > 0 {
		words += " after " + notify.Duration(time.Duration(*p.EndTime-p.StartTime)*time.Millisecond)
	}
	return words
}
