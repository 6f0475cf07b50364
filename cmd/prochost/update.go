package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// updateOptions are the flags of update.
type updateOptions struct {
	rename  string
	watches watchFlags
	replace bool
	remove  []string
	clear   bool
	json    bool
	color   string
}

func updateCommand(a *app) *cobra.Command {
	var opt updateOptions
	cmd := &cobra.Command{
		Use:   "update NAME",
		Short: "Rename a process that runs, or change its log watches",
		Long: `Changes a process that runs, and shows the log watches that it has then; without
flags it shows them alone. What is changed of a process of the recipe holds until
the recipe changes that part.`,
		Example: `  prochost update api
  prochost update api --match 'panic:' --stream stderr --repeat
  prochost update api --match 'order (\d+) is late' --regex --replace
  prochost update api --remove 0        by its index
  prochost update api --remove 'panic:'
  prochost update sleep --rename timer`,
		ValidArgsFunction: func(cmd *cobra.Command, given []string, to string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(given) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completeNames(liveProcess)(cmd, given, to)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, "say which process, one at a time")
			}
			in, err := opt.input(cmd)
			if err != nil {
				return err
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.update(cmd.Context(), s, args[0], in, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&opt.rename, "rename", "", "call it `NAME`")
	opt.watches.add(cmd)
	f.BoolVar(&opt.replace, "replace", false, "with --match: in place of the watches that it has")
	f.StringArrayVar(&opt.remove, "remove", nil, "remove the watch with this `INDEX`, or those with this pattern; may be given several times")
	f.BoolVar(&opt.clear, "clear", false, "remove all watches")
	jsonVar(cmd, &opt.json, "as one JSON object: the process and its watches")
	colorVar(cmd, &opt.color)
	return cmd
}

// input is the change that the flags ask for.
func (opt updateOptions) input(cmd *cobra.Command) (api.UpdateIn, error) {
	in := api.UpdateIn{Name: opt.rename}
	asked := 0
	for _, given := range []bool{len(opt.watches.patterns) > 0, len(opt.remove) > 0, opt.clear} {
		if given {
			asked++
		}
	}
	switch {
	case asked > 1:
		return in, usage(cmd, "--match, --remove and --clear are changes of their own: one at a time")
	case opt.replace && len(opt.watches.patterns) == 0:
		return in, usage(cmd, "--replace needs --match; --clear removes all")
	case opt.clear:
		in.Watches = &api.WatchesIn{Mode: "clear"}
	case len(opt.remove) > 0:
		in.Watches = &api.WatchesIn{Mode: "remove"}
		for _, r := range opt.remove {
			in.Watches.Items = append(in.Watches.Items, toRemove(r))
		}
	case len(opt.watches.patterns) > 0:
		in.Watches = &api.WatchesIn{Mode: "append", Items: opt.watches.items()}
		if opt.replace {
			in.Watches.Mode = "replace"
		}
	}
	return in, nil
}

// toRemove reads an index or a pattern.
func toRemove(word string) api.WatchItemIn {
	if n, err := strconv.Atoi(word); err == nil && n >= 0 {
		return api.WatchItemIn{Index: &n}
	}
	return api.WatchItemIn{Pattern: word}
}

func (a *app) update(ctx context.Context, s api.Service, name string, in api.UpdateIn, opt updateOptions) error {
	targets, err := liveTargets(ctx, s, []string{name})
	if err != nil {
		return err
	}
	if len(targets) > 1 {
		return &badUse{fmt.Errorf("%q means %d processes: change one at a time", name, len(targets))}
	}
	in.ID = targets[0].ref
	out, err := s.Update(ctx, in)
	switch {
	case err != nil:
		return err
	case opt.json:
		return a.writeJSON(out)
	case len(out.Watches) == 0:
		return a.write(view.Line(out.Process.Name, "no log watches"))
	}
	return a.write(view.Watches(out.Watches, a.shown(opt.color)))
}
