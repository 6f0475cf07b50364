package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/prochost/prochost/cmd/prochost/doctor"
	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/statedir"
	"github.com/spf13/cobra"
)

func doctorCommand(a *app) *cobra.Command {
	var asJSON bool
	var color string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong with the surroundings",
		Long: `Looks at what prochost needs around it: a shell, limits of the system, the folders
for its state and its sockets, room on the disk, and hosts that do not answer. Of
what is not as it should be it says what mends it. Nothing is changed. The exit code
is 1 if something is bad; a warning (!) is not.`,
		Example: `  prochost doctor
  prochost doctor --json | jq -r '.[] | select(.state != "ok") | .words'`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), asJSON, color) },
	}
	cmd.Flags().SortFlags = false
	jsonVar(cmd, &asJSON, "as a JSON array of findings")
	colorVar(cmd, &color)
	return cmd
}

func (a *app) doctor(ctx context.Context, asJSON bool, color string) error {
	p, err := a.here()
	if err != nil {
		return err
	}
	b := build()
	f := doctor.Facts{
		Version: b.Version, System: b.OS + "/" + b.Arch, Shell: shell(),
		RuntimeEnv: a.getenv("XDG_RUNTIME_DIR"), Project: p.project, Recipe: p.recipe,
	}
	f.State.Path, f.State.Err = statedir.Root(a.getenv)
	dir, err := statedir.Of(a.getenv, p.project)
	if f.Socket, f.SocketErr = dir.Socket, err; err == nil {
		f.SocketDir.Path = filepath.Dir(dir.Socket)
		f.Host = a.examineHost(ctx, p)
		if f.Others, err = a.reach.hosts(ctx); err != nil {
			return err
		}
	}
	f.Look()
	findings := doctor.Examine(f)
	if asJSON {
		err = a.writeJSON(findings)
	} else {
		err = a.write(view.Findings(findings, a.shown(color)))
	}
	if err == nil && !doctor.Healthy(findings) {
		err = &failure{code: exitFailed}
	}
	return err
}

// examineHost asks the host of the project who it is.
func (a *app) examineHost(ctx context.Context, p place) (h doctor.Host) {
	s, leave, err := a.reach.dial(ctx, p.project)
	switch {
	case errors.Is(err, rpc.ErrNoHost):
		return h
	case err != nil:
		h.Err = err
		return h
	}
	defer leave()
	info, err := s.HostInfo(ctx, api.HostInfoIn{})
	if err != nil {
		h.Err = err
		return h
	}
	h.Runs, h.Version = true, info.Version
	return h
}
