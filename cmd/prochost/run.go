package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func runCommand(a *app) *cobra.Command {
	var command commandFlags
	var color string
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND…",
		Short: "Run one command in the foreground, under the host",
		Long: `Runs a command as a process of the host and shows what it writes, as if it had
been typed alone: the exit code is its own, 128 + n if signal n ended it, 127 and
126 if it was not found or could not be run. What is typed or piped in is passed on.
It stands in "prochost ps", and nothing of it is left behind when it has ended; that
it has is told to nobody else.

Ctrl-C stops it as "prochost stop" does; a second one kills it.

` + commandHelp,
		Example: `  prochost run -- go test ./...
  prochost run --name e2e -e CI=1 -- npm run e2e
  prochost run -- 'make check | tee check.log'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, "say what to run, behind --")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, words []string) error {
			in, err := a.input(cmd, &command, words)
			if err != nil {
				return err
			}
			in.CompletionDelivery = "tool"
			r := &attached{app: a, in: in, color: color, signals: make(chan os.Signal, 16)}
			r.rules = interrupts{ignoreHUP: signal.Ignored(syscall.SIGHUP), terminal: term.IsTerminal(int(a.stdin.Fd()))}
			signal.Notify(r.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
			return a.ensureHost(cmd.Context(), func(s api.Service) error { return r.run(cmd.Context(), s) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.SetInterspersed(false) // what stands behind the program is its own
	command.add(cmd)
	colorVar(cmd, &color)
	return cmd
}
