package main

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// logsOptions are the flags of logs, and the names.
type logsOptions struct {
	names      []string
	follow     bool
	tail       string
	since      time.Time
	grep       string
	regex      bool
	stream     string
	raw        bool
	json       bool
	noPrefix   bool
	timestamps bool
	color      string
}

func logsCommand(a *app) *cobra.Command {
	var opt logsOptions
	cmd := &cobra.Command{
		Use:   "logs [NAME…]",
		Short: "Show what processes have written",
		Long: `Shows the lines of processes in the order in which they came, each after the name of
its process; those of a single one without it. Lines of earlier instances that are
remembered come first. Without names it shows all.

Cursor movements and other screen codes are left out, and colours too where there are
none. With --raw a line is as it came.`,
		Example: `  prochost logs
  prochost logs -f api 'worker-*'
  prochost logs -n 100 --since 10m api
  prochost logs --since 14:30 --grep timeout --stream stderr
  prochost logs --grep 'order \d+ is late' --regex
  prochost logs --json api | jq -r .text`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			opt.names = names
			switch {
			case opt.raw && opt.json:
				return usage(cmd, "--raw and --json contradict each other")
			case opt.regex && opt.grep == "":
				return usage(cmd, "--regex needs --grep")
			}
			in, err := opt.input(cmd)
			if err != nil {
				return err
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.logs(cmd.Context(), s, in, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&opt.follow, "follow", "f", false, "go on with what is written, also by later instances, until the host stops")
	f.StringVarP(&opt.tail, "tail", "n", "all", "only the last `N` lines of each process")
	f.Var(moment{&opt.since}, "since", "only lines from `TIME` on: 10m (ago), 14:30, 2026-11-30, 2026-11-30T14:30:00Z")
	f.StringVar(&opt.grep, "grep", "", "only lines that hold `PATTERN`")
	f.BoolVar(&opt.regex, "regex", false, "PATTERN is a regular expression")
	chooseVar(cmd, &opt.stream, "stream", "both", "only lines of `STREAM`: both, stdout or stderr", "both", "stdout", "stderr")
	f.BoolVar(&opt.noPrefix, "no-prefix", false, "leave out the names")
	f.BoolVarP(&opt.timestamps, "timestamps", "t", false, "put the time before every line")
	f.BoolVar(&opt.raw, "raw", false, "show lines as they came, escapes included, and nothing else")
	jsonVar(cmd, &opt.json, "as JSON, one line of output per line")
	colorVar(cmd, &opt.color)
	return cmd
}

// input is what is asked of the host, but for the names.
func (opt logsOptions) input(cmd *cobra.Command) (api.LogsIn, error) {
	in := api.LogsIn{Follow: opt.follow, Successors: opt.follow, Stream: opt.stream, Pattern: opt.grep}
	if opt.regex {
		in.Mode = "regex"
	}
	if !opt.since.IsZero() {
		in.Since = max(opt.since.UnixMilli(), 1)
	}
	if opt.tail != "all" {
		n, err := strconv.Atoi(opt.tail)
		if err != nil || n < 0 {
			return in, usage(cmd, "--tail is a number of lines, or all, not %q", opt.tail)
		}
		in.TailLines = &n
	}
	return in, nil
}

func (a *app) logs(ctx context.Context, s api.Service, in api.LogsIn, opt logsOptions) error {
	names, err := logged(ctx, s, &in, opt.names)
	if err != nil {
		return err
	}
	ctx, leave := a.whileRead(ctx)
	defer leave()
	stream, err := s.Logs(ctx, in)
	if err != nil {
		return unread(ctx, err)
	}
	defer stream.Close()
	view := a.people(a.stdout, opt.color)
	view.Timestamps = opt.timestamps
	view.Bare = opt.noPrefix || len(opt.names) > 0 && len(names) == 1 && !slices.ContainsFunc(opt.names, isGlob)
	if opt.json || opt.raw {
		return unread(ctx, a.passOn(ctx, stream, opt))
	}
	c := console.New(view)
	if !view.Bare {
		c.Know(names...)
	}
	flush := func() error { return written(c.Flush(a.stdout)) }
	err = pump(ctx, stream, func(e api.Event) error {
		if c.Event(e, time.Now()); c.Len() > enough {
			return flush()
		}
		return nil
	}, flush)
	return unread(ctx, err)
}

// passOn writes lines as they came, or as JSON.
func (a *app) passOn(ctx context.Context, stream api.Stream, opt logsOptions) error {
	var buf []byte
	flush := func() error {
		err := a.write(buf)
		buf = buf[:0]
		return err
	}
	return pump(ctx, stream, func(e api.Event) (err error) {
		switch e := e.(type) {
		case *api.Output:
			if opt.raw {
				buf = append(append(buf, e.Text...), '\n')
			} else {
				buf, err = console.AppendJSON(buf, e)
			}
		case *api.Lagged:
			if a.say("prochost: %d lines are missing here: they came faster than they could be shown", e.Missed); opt.json {
				buf, err = console.AppendJSON(buf, e)
			}
		}
		if err == nil && len(buf) > enough {
			err = flush()
		}
		return err
	}, flush)
}

// logged puts into in the instances whose lines are meant, and returns their names. A name means every instance that is
// remembered; without names it is all, and in is left as it is.
func logged(ctx context.Context, s api.Service, in *api.LogsIn, words []string) ([]string, error) {
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return namesOf(slices.DeleteFunc(all, func(p api.Info) bool { return p.ID == "" })), nil
	}
	chosen, err := choose(all, words)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range chosen {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
		ids := instances(all, t, words)
		if len(ids) == 0 { // it has not run yet; what it will write can be followed
			ids = []string{t.name}
		}
		for _, id := range ids {
			if !slices.Contains(in.IDs, id) {
				in.IDs = append(in.IDs, id)
			}
		}
	}
	return names, nil
}

// instances returns the ids of what t means: that instance if it was given by its id, else all that bear its name.
func instances(all []api.Info, t target, words []string) []string {
	if t.ref == t.info.ID && slices.Contains(words, t.ref) {
		return []string{t.ref}
	}
	var ids []string
	for _, p := range all {
		if p.Name == t.name && p.ID != "" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
