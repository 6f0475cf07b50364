package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

func reloadCommand(a *app) *cobra.Command {
	var in api.RecipeReloadIn
	var asJSON bool
	var color string
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Load the recipe again and apply what changed",
		Long: `Loads the recipe again and applies the difference, as saving it does by itself: what
was removed is stopped, what is run in another way is restarted, the rest is left
alone. It says what was done; with --dry-run what would be, and nothing is done. A
recipe that is broken changes nothing, and the exit code is 1.`,
		Example: `  prochost reload --dry-run
  prochost reload
  prochost reload --allow-empty         it declares nothing, and that is meant`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.reload(cmd.Context(), s, in, asJSON, color) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&in.DryRun, "dry-run", false, "say what would change, and change nothing")
	f.BoolVar(&in.AllowEmpty, "allow-empty", false, "apply a recipe that declares no process, where it declared some before")
	jsonVar(cmd, &asJSON, "as one JSON object: the event of the load")
	colorVar(cmd, &color)
	return cmd
}

func (a *app) reload(ctx context.Context, s api.Service, in api.RecipeReloadIn, asJSON bool, color string) error {
	out, err := s.RecipeReload(ctx, in)
	var refused *api.Error
	switch {
	case errors.As(err, &refused) && refused.Reason == api.ReasonRecipe:
		return a.brokenRecipe(ctx, s, refused, asJSON, color)
	case err != nil:
		return err
	case asJSON:
		return a.writeJSON(out)
	}
	return a.write([]byte(console.Reloaded(&out, in.DryRun) + "\n"))
}

// brokenRecipe shows what is wrong with the recipe.
func (a *app) brokenRecipe(ctx context.Context, s api.Service, refused *api.Error, asJSON bool, color string) error {
	status, err := s.RecipeStatus(ctx, api.Nothing{})
	if err != nil {
		return err
	}
	if asJSON {
		err = a.writeJSON(api.NewRecipe(api.RecipeLoaded{
			Header: api.Header{Time: api.Millis(time.Now())},
			Path:   status.Path, Generation: status.Generation, Errors: refused.Recipe,
		}))
	} else {
		err = console.Errors(a.stderr, a.people(a.stderr, color), filepath.Dir(status.Path), refused.Recipe)
	}
	if err != nil {
		return err
	}
	return &failure{code: exitFailed}
}
