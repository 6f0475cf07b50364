package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
)

func checkCommand(a *app) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the recipe without running anything",
		Long: `Loads the recipe and says what is wrong with it: everything at once, each with
file and line. Nothing is run. The exit code is 0 for a good recipe, else 1.`,
		Example: `  prochost check
  prochost check -f ci.lua --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.locate(file)
			if err != nil {
				return err
			}
			return a.check(cmd.Context(), p, asJSON)
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "check the recipe in `FILE`")
	cmd.Flags().BoolVar(&asJSON, "json", false, `as one JSON object: {"ok", "processes", "errors"}`)
	return cmd
}

// checked is what check says as JSON.
type checked struct {
	OK        bool              `json:"ok"`
	Path      string            `json:"path"`
	Processes []string          `json:"processes"` // names, in order of declaration
	Errors    []api.RecipeError `json:"errors"`
}

func (a *app) check(ctx context.Context, p place, asJSON bool) error {
	result := checked{Path: p.recipe, Processes: []string{}, Errors: []api.RecipeError{}}
	program, _, err := luaapi.Load(ctx, luaapi.Options{
		Path: p.recipe, Env: host.Environ(a.environ), Shell: shell(), Version: build().Version,
		Print: func(text string) { a.print(text) },
	})
	if err == nil {
		defer program.Close()
		result.OK = true
		for _, d := range program.Recipe().Processes {
			result.Processes = append(result.Processes, d.Name)
		}
	} else {
		result.Errors = host.RecipeErrors(p.recipe, err)
	}
	switch {
	case asJSON:
		enc := json.NewEncoder(a.stdout)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(result); err != nil {
			return err
		}
	case result.OK:
		_, err := fmt.Fprintf(a.stdout, "%s: %s, no errors\n", filepath.Base(p.recipe), notify.Count(len(result.Processes), "process"))
		if err != nil {
			return err
		}
	default:
		a.showErrors(p.recipe, err)
	}
	if !result.OK {
		return &failure{code: exitFailed}
	}
	return nil
}

// print shows what the recipe prints where it does not mix with the result.
func (a *app) print(text string) {
	c := console.New(a.people(a.stderr, ""))
	c.Print(text, time.Now())
	c.Flush(a.stderr)
}

// showErrors shows what is wrong with a recipe, with its places.
func (a *app) showErrors(recipe string, err error) {
	console.Errors(a.stderr, a.people(a.stderr, ""), filepath.Dir(recipe), host.RecipeErrors(recipe, err))
	if list := (*luaapi.Errors)(nil); errors.As(err, &list) && list.More > 0 {
		fmt.Fprintf(a.stderr, "and %d more\n", list.More)
	}
}
