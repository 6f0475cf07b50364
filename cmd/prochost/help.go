package main

import "github.com/spf13/cobra"

// usageTemplate is what follows the description of a verb, or of the whole.
const usageTemplate = `Usage: {{if .HasParent}}{{.UseLine}}{{else}}{{.Name}} VERB [flags]{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}
{{- end}}
{{- $all := .Commands}}
{{- range $group := .Groups}}

{{.Title}}
{{- range $all}}{{if and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name 13}}  {{.Short}}
{{- end}}{{end}}
{{- end}}
{{- if and .HasAvailableSubCommands (not .Groups)}}
{{range $all}}{{if .IsAvailableCommand}}
  {{rpad .Name 13}}  {{.Short}}
{{- end}}{{end}}
{{- end}}
{{- if .HasHelpSubCommands}}

Topics (prochost help TOPIC):
{{- range $all}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .Name 13}}  {{.Short}}
{{- end}}{{end}}
{{- end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{(.LocalFlags.FlagUsagesWrapped 90) | trimTrailingWhitespaces}}
{{- end}}
{{- if .HasAvailableInheritedFlags}}

Flags of every verb:
{{(.InheritedFlags.FlagUsagesWrapped 90) | trimTrailingWhitespaces}}
{{- end}}
`

// helpCommand shows the help of a verb or a topic, and of the whole.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB | TOPIC]",
		GroupID: "other",
		Short:   "Explain a verb or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownVerb(root, args[len(args)-len(rest)])
			}
			cmd.InitDefaultHelpFlag() // which cobra adds when a command is run
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var words []string
			for _, c := range root.Commands() {
				words = append(words, c.Name()+"\t"+c.Short)
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
