package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verbs is the list of subcommands: to add one, write it and add its row.
var verbs = []struct {
	group   string
	command func(*app) *cobra.Command
}{
	{"run", upCommand},
	{"recipes", checkCommand},
	{"other", versionCommand},
}

// groups are the headings of the help, in order.
var groups = []*cobra.Group{
	{ID: "run", Title: "Running a stack:"},
	{ID: "recipes", Title: "Recipes:"},
	{ID: "other", Title: "And:"},
}

const about = `prochost runs the processes of a development stack, as a recipe in Lua declares
them, and tells people and coding agents what becomes of them.

A recipe is a file prochost.lua in the folder of the project. Write one
("prochost help recipes" shows how) and run "prochost up".`

// root returns the whole command line.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "prochost",
		Short:         "Runs the processes of a development stack",
		Long:          about,
		Version:       build().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.PersistentFlags().StringVar(&a.project, "project", "",
		"work in the project in `DIR` instead of looking for one upward from here (PROCHOST_PROJECT does the same)")
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(groups...)
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	for _, v := range verbs {
		cmd := v.command(a)
		cmd.GroupID = v.group
		root.AddCommand(cmd)
	}
	root.AddCommand(topicCommands()...)
	return root
}

// run carries out a command line and returns the exit code.
func (a *app) run(args []string) int {
	root := a.root()
	root.SetArgs(args)
	err := root.Execute()
	var f *failure
	switch {
	case err == nil, errors.As(err, &f) && f.err == nil:
	default:
		fmt.Fprintf(a.stderr, "prochost: %v\n", err)
	}
	return codeOf(err)
}

// positional marks what is wrong with the arguments of a verb as bad use.
func positional(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage(cmd, "%v", err)
		}
		return nil
	}
}

// usage is a badUse that points to the help.
func usage(cmd *cobra.Command, format string, args ...any) error {
	return &badUse{fmt.Errorf("%s\nSee: %s --help", fmt.Sprintf(format, args...), cmd.CommandPath())}
}

func unknownVerb(root *cobra.Command, word string) error {
	return usage(root, "unknown verb %q%s", word, didYouMean(root, "", word))
}

// flagError words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage(cmd, "%v", err)
	}
	if cmd == cmd.Root() { // of an unknown verb no flag is known either
		for _, arg := range cmd.Flags().Args() {
			return unknownVerb(cmd, arg)
		}
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return usage(cmd, "unknown flag -%s", unknown.GetSpecifiedName())
	}
	flags := &cobra.Command{} // cobra knows how to find the nearest name, among subcommands
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	name := unknown.GetSpecifiedName()
	return usage(cmd, "unknown flag --%s%s", name, didYouMean(flags, "--", name))
}

// didYouMean returns the end of a message about a word that is not the name of a subcommand of cmd.
func didYouMean(cmd *cobra.Command, prefix, word string) string {
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(word)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = fmt.Sprintf("%q", prefix+near[i])
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
