package main

import (
	"slices"

	"github.com/prochost/prochost/host/stack"
	"github.com/spf13/cobra"
)

// upOptions are the flags of up, and the names.
type upOptions struct {
	names      []string
	file       string
	only       bool
	exitOn     string
	stay       bool
	json       bool
	noOutput   bool
	timestamps bool
	noWatch    bool
	detach     bool
	none       bool // start nothing by itself
	color      string
}

func upCommand(a *app) *cobra.Command {
	var opt upOptions
	cmd := &cobra.Command{
		Use:   "up [NAME…]",
		Short: "Run the stack and show its merged output",
		Long: `Loads the recipe, starts its processes in the order of their dependencies and
shows what they write, each line after the name of its process. With names or
globs, only those are started, and what they depend on.

While it runs, saving the recipe applies what changed. Ctrl-C stops everything in
reverse order; a second Ctrl-C kills. Without --stay it ends when every process
has ended and none is to be started again.

A project has one host. If it runs already, up applies the recipe to it, starts what
is named and shows the output; Ctrl-C then leaves it running. With --detach the host
runs in the background, until "prochost down".`,
		Example: `  prochost up
  prochost up api 'worker-*'
  prochost up --exit-on failure         in CI: the first failure ends the rest
  prochost up --only api                without what it depends on
  prochost up --json | jq -c 'select(.type == "notification")'`,
		RunE: func(cmd *cobra.Command, names []string) error {
			opt.names = names
			if opt.only && len(names) == 0 {
				return usage(cmd, "--only needs the name of a process")
			}
			if opt.detach && (opt.json || opt.noOutput || opt.timestamps || opt.exitOn != "") {
				return usage(cmd, "--detach shows nothing and waits for nothing: leave out --json, --no-output, --timestamps and --exit-on")
			}
			if !slices.Contains([]string{"auto", "always", "never"}, opt.color) {
				return usage(cmd, "--color is auto, always or never, not %q", opt.color)
			}
			if cmd.Flags().Changed("exit-on") && opt.exitOn == "" {
				return usage(cmd, "--exit-on is any, failure or the name of a process")
			}
			p, err := a.locate(opt.file)
			if err != nil {
				return err
			}
			if opt.detach {
				return a.upDetached(cmd.Context(), p, opt)
			}
			return a.up(p, opt)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&opt.file, "file", "f", "", "run the recipe in `FILE`")
	f.BoolVarP(&opt.detach, "detach", "d", false, "run the host in the background, and return when it answers")
	f.BoolVar(&opt.only, "only", false, "start just what is named, and wait for nothing that it depends on")
	f.StringVar(&opt.exitOn, "exit-on", "", "`WHAT` ends everything, and its exit code is passed on: any (the end of any process), failure (the first that fails), or the name of a process")
	f.BoolVar(&opt.stay, "stay", false, "stay when every process has ended, or when the recipe is broken, and wait for it to be saved")
	f.BoolVar(&opt.noWatch, "no-watch", false, "do not apply the recipe again when it is saved")
	f.BoolVar(&opt.json, "json", false, "write one event per line as JSON, and what is meant for people to stderr")
	f.BoolVar(&opt.noOutput, "no-output", false, "leave out what the processes write")
	f.BoolVar(&opt.timestamps, "timestamps", false, "put the time before every line")
	f.StringVar(&opt.color, "color", "auto", "`WHEN` there are colours: auto (on a terminal, unless NO_COLOR is set), always or never")
	return cmd
}

// exitOn reads the value of --exit-on.
func exitOn(word string) stack.ExitOn {
	switch word {
	case "any":
		return stack.ExitOn{Any: true}
	case "failure":
		return stack.ExitOn{Failure: true}
	}
	return stack.ExitOn{Name: word}
}
