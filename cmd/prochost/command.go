package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/spf13/cobra"
)

// commandFlags say how a command is run that no recipe declares.
type commandFlags struct {
	name    string
	cwd     string
	env     []string
	session string
	noStdin bool
	watches watchFlags
}

// commandHelp is what the help of every verb says that runs a command.
const commandHelp = `Of several words the first is the program, which is run without a shell. A single
one is a command for the shell. It gets the working directory and the environment
of the caller, without the variables of coding agents.`

func (c *commandFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.name, "name", "", "call it `NAME`; else it is called as its program")
	f.StringVar(&c.cwd, "cwd", "", "run it in the folder `DIR`")
	f.StringArrayVarP(&c.env, "env", "e", nil, "set the variable `KEY=VALUE`; may be given several times")
	f.StringVar(&c.session, "session", "", "it belongs to the session `ID`, and ends with it")
	f.BoolVar(&c.noStdin, "no-stdin", false, "it has no standard input")
	c.watches.add(cmd)
	if err := cmd.MarkFlagDirname("cwd"); err != nil {
		panic(err) // the flag is there
	}
}

// input is what starts the command that words are.
func (a *app) input(cmd *cobra.Command, c *commandFlags, words []string) (api.StartIn, error) {
	in := api.StartIn{
		Name: c.name, Source: "cli", Session: c.session, Environ: a.environ,
		Notify: &api.NotifyIn{LogMatches: c.watches.matchers()},
	}
	if c.noStdin {
		in.Stdin = "null"
	}
	switch {
	case len(words) == 1 && strings.TrimSpace(words[0]) == "":
		return in, usage(cmd, "the command is empty")
	case len(words) == 1:
		in.Command = words[0]
	default:
		in.Argv = words
	}
	for _, e := range c.env {
		key, value, ok := strings.Cut(e, "=")
		if !ok || key == "" {
			return in, usage(cmd, "--env is KEY=VALUE, not %q", e)
		}
		if in.Env == nil {
			in.Env = map[string]string{}
		}
		in.Env[key] = value
	}
	cwd, err := os.Getwd()
	if err != nil {
		return in, fmt.Errorf("find the working directory: %w", err)
	}
	if in.Cwd = cwd; c.cwd != "" {
		if in.Cwd, err = filepath.Abs(c.cwd); err != nil {
			return in, fmt.Errorf("find the folder %q: %w", c.cwd, err)
		}
	}
	return in, nil
}
