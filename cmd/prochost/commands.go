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
	{"run", downCommand},
	{"run", runCommand},
	{"look", psCommand},
	{"look", logsCommand},
	{"look", whyCommand},
	{"look", waitCommand},
	{"look", eventsCommand},
	{"look", listenCommand},
	{"look", inboxCommand},
	{"steer", startCommand},
	{"steer", stopCommand},
	{"steer", restartCommand},
	{"steer", signalCommand},
	{"steer", writeCommand},
	{"steer", updateCommand},
	{"steer", clearCommand},
	{"recipes", checkCommand},
	{"recipes", graphCommand},
	{"recipes", reloadCommand},
	{"other", doctorCommand},
	{"other", hostsCommand},
	{"other", versionCommand},
}

// groups are the headings of the help, in order.
var groups = []*cobra.Group{
	{ID: "run", Title: "Running a stack:"},
	{ID: "steer", Title: "Steering it:"},
	{ID: "look", Title: "Looking at it:"},
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
		"the folder `DIR` is the project; else it is the first one with a recipe, upward from here (PROCHOST_PROJECT does the same)")
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(groups...)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpCommand(helpCommand(root))
	root.SetCompletionCommandGroupID("other")
	for _, v := range verbs {
		cmd := v.command(a)
		cmd.GroupID = v.group
		root.AddCommand(cmd)
	}
	root.AddCommand(hostCommand(a))
	root.AddCommand(topicCommands()...)
	return root
}

// run carries out a command line and returns the exit code.
func (a *app) run(args []string) int {
	root := a.root()
	root.SetArgs(args)
	err := root.Execute()
	if a.unread(err) {
		err = errReaderGone
	}
	var f *failure
	switch {
	case err == nil, errors.Is(err, errReaderGone), errors.As(err, &f) && f.err == nil:
	default:
		fmt.Fprintf(a.stderr, "prochost: %v\n", err)
	}
	return codeOf(err)
}

// noArguments refuses what stands behind a verb that takes flags alone.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(cmd, "%s takes no arguments, and there is %q", cmd.Name(), args[0])
	}
	return nil
}

// usage is a badUse that points to the help.
func usage(cmd *cobra.Command, format string, args ...any) error {
	return &badUse{fmt.Errorf("%s\nSee: %s --help", fmt.Sprintf(format, args...), cmd.CommandPath())}
}

func unknownVerb(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return usage(root, "unknown verb %q%s", word, didYouMean("", word, names))
}

// flagError words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return usage(cmd, "--%s %v", invalid.GetFlag().Name, invalid.Unwrap())
	case !errors.As(err, &unknown):
		return usage(cmd, "%v", err)
	case !cmd.HasParent() && cmd.Flags().NArg() > 0: // of an unknown verb no flag is known either
		return unknownVerb(cmd, cmd.Flags().Arg(0))
	case unknown.GetSpecifiedShortnames() != "":
		return usage(cmd, "unknown flag -%s", unknown.GetSpecifiedName())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	return usage(cmd, "unknown flag --%s%s", name, didYouMean("--", name, names))
}

// didYouMean returns the end of a message about a word that is none of names.
func didYouMean(prefix, word string, names []string) string {
	// cobra knows which names are near, among subcommands; a third of the letters may be wrong.
	set := &cobra.Command{SuggestionsMinimumDistance: (len(word) + 2) / 3}
	for _, n := range names {
		set.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	near := set.SuggestionsFor(word)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = fmt.Sprintf("%q", prefix+near[i])
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
