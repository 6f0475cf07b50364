package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// psOptions are the flags of ps, and the names.
type psOptions struct {
	names    []string
	statuses []string
	all      bool
	json     bool
	quiet    bool
	watch    bool
	color    string
}

// watchEvery is how often ps --watch looks.
const watchEvery = time.Second

func psCommand(a *app) *cobra.Command {
	var opt psOptions
	cmd := &cobra.Command{
		Use:     "ps [NAME…]",
		Aliases: []string{"status"},
		Short:   "Show the processes and how they stand",
		Long: `Shows a line for each process: what the recipe declares, and what was started
besides. CPU, memory and ports are those of a process and of all that it has
started. CPU is in per cent of one core since it was last asked for, at first
since the start. UPTIME of what has ended is how long ago that was.

On a terminal the table is as wide as that; elsewhere every column is there.`,
		Example: `  prochost ps
  prochost ps 'worker-*'
  prochost ps -a api                    its earlier instances too
  prochost ps -q --status failed | xargs -d '\n' prochost restart
  prochost ps --json | jq -r '.[] | select(.ready == false).name'`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			opt.names = names
			if opt.watch && (opt.json || !term.IsTerminal(int(a.stdout.Fd()))) {
				return usage(cmd, "--watch is for a terminal; \"prochost events\" tells programs what changes")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.ps(cmd.Context(), s, opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&opt.all, "all", "a", false, "show earlier instances too, and the ids")
	f.StringSliceVar(&opt.statuses, "status", nil, "only what is `WORD`: running, finished, failed, killed, terminating or terminate_timeout; several with commas")
	f.BoolVarP(&opt.quiet, "quiet", "q", false, "show names alone")
	f.BoolVarP(&opt.watch, "watch", "w", false, "show it anew every second")
	jsonVar(cmd, &opt.json, "as a JSON array of processes, each with its usage")
	colorVar(cmd, &opt.color)
	completeWords(cmd, "status", "running", "finished", "failed", "killed", "terminating", "terminate_timeout")
	return cmd
}

func (a *app) ps(ctx context.Context, s api.Service, opt psOptions) error {
	for {
		status, err := s.RecipeStatus(ctx, api.Nothing{})
		if err != nil {
			return err
		}
		list, err := processes(ctx, s, status, opt)
		if err != nil {
			return err
		}
		if err := a.showProcesses(list, status, opt); err != nil || !opt.watch {
			return err
		}
		time.Sleep(watchEvery)
	}
}

// processes returns what is to be shown, with what it uses.
func processes(ctx context.Context, s api.Service, status api.RecipeStatus, opt psOptions) ([]view.Process, error) {
	chosen, err := selected(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	inOrder(chosen, status.Processes)
	uses := map[string]api.Usage{}
	if !opt.quiet {
		usage, err := s.Usage(ctx, api.UsageIn{})
		if err != nil {
			return nil, err
		}
		for _, u := range usage {
			uses[u.ID] = u
		}
	}
	list := []view.Process{}
	for _, p := range chosen {
		one := view.Process{Info: p}
		if u, ok := uses[p.ID]; ok && p.Live() {
			one.Usage = &u
		}
		list = append(list, one)
	}
	return list, nil
}

// inOrder puts processes of the recipe first, in the order in which it declares them. Instances of one name, and all
// others, stay as they are: in the order of their start.
func inOrder(list []api.Info, declared []string) {
	place := make(map[string]int, len(declared))
	for i, name := range declared {
		place[name] = i - len(declared)
	}
	slices.SortStableFunc(list, func(a, b api.Info) int { return place[a.Name] - place[b.Name] })
}

// selected returns the instances that are meant. An id means that instance, also one that others have followed.
func selected(ctx context.Context, s api.Service, opt psOptions) ([]api.Info, error) {
	list, err := s.List(ctx, api.ListIn{Latest: !opt.all, Statuses: opt.statuses})
	if err != nil || len(opt.names) == 0 {
		return list, err
	}
	all, err := s.List(ctx, api.ListIn{})
	if err != nil {
		return nil, err
	}
	if _, err := choose(all, opt.names); err != nil {
		return nil, err
	}
	listed := map[[2]string]bool{}
	for _, p := range list {
		listed[[2]string{p.ID, p.Name}] = true
	}
	return slices.DeleteFunc(all, func(p api.Info) bool {
		return !slices.ContainsFunc(opt.names, func(w string) bool {
			return w == p.ID || listed[[2]string{p.ID, p.Name}] && (w == p.Name || matches(w, p.Name))
		})
	}), nil
}

// showProcesses shows processes, and what is wrong with the recipe on disk.
func (a *app) showProcesses(list []view.Process, status api.RecipeStatus, opt psOptions) error {
	switch {
	case opt.json:
		return a.writeJSON(list)
	case opt.quiet:
		var names strings.Builder
		for _, p := range list {
			names.WriteString(p.Name + "\n")
		}
		return a.write([]byte(names.String()))
	}
	page := view.Processes(list, opt.all || ambiguous(list), time.Now(), a.shown(opt.color))
	if _, height, err := term.GetSize(int(a.stdout.Fd())); err == nil && opt.watch {
		page = view.Screen(page, height)
	}
	if err := a.write(page); err != nil {
		return err
	}
	if len(status.Errors) > 0 {
		a.say("\nThe recipe on disk is broken, and the last good one stays in force:")
		return console.Errors(a.stderr, a.people(a.stderr, opt.color), filepath.Dir(status.Path), status.Errors)
	}
	return nil
}

// ambiguous reports whether two processes bear one name.
func ambiguous(list []view.Process) bool {
	seen := map[string]bool{}
	for _, p := range list {
		if seen[p.Name] {
			return true
		}
		seen[p.Name] = true
	}
	return false
}
