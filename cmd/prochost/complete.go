package main

import (
	"context"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// completeWithin bounds how long a shell waits for names.
const completeWithin = 300 * time.Millisecond

// What names are completed with.
func anyProcess(api.Info) bool    { return true }
func liveProcess(p api.Info) bool { return p.Live() }
func restProcess(p api.Info) bool { return !p.Live() }

// completeNames completes the names of processes that the host knows. Where none can be asked there are none.
func (a *app) completeNames(keep func(api.Info) bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
		defer cancel()
		found := make(chan []cobra.Completion, 1)
		go func() { found <- a.names(ctx, keep, given) }()
		select {
		case names := <-found:
			return names, cobra.ShellCompDirectiveNoFileComp
		case <-ctx.Done():
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

// names are the names of processes that are not given yet, each with how it stands.
func (a *app) names(ctx context.Context, keep func(api.Info) bool, given []string) []cobra.Completion {
	var names []cobra.Completion
	_ = a.withHost(ctx, func(s api.Service) error {
		all, err := s.List(ctx, api.ListIn{Latest: true})
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, name := range given {
			seen[name] = true
		}
		for _, p := range all {
			if !seen[p.Name] && keep(p) {
				seen[p.Name] = true
				names = append(names, cobra.CompletionWithDesc(p.Name, view.State(p)))
			}
		}
		return nil
	})
	return names
}

// completeWords completes the value of a flag.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	fixed := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, fixed); err != nil {
		panic(err) // the flag is there
	}
}
