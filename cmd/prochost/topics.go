package main

import (
	"embed"

	"github.com/spf13/cobra"
)

//go:embed topics/*.txt
var topicTexts embed.FS

// topics is what help explains besides the verbs: to add one, write it and add its row.
var topics = []struct{ name, short string }{
	{"recipes", "How to write a recipe"},
	{"notifications", "What is told, to whom and how loudly"},
	{"exit-codes", "What the exit codes mean"},
}

// topicCommands returns the topics as commands that cannot be run, which is how cobra knows them.
func topicCommands() []*cobra.Command {
	var cmds []*cobra.Command
	for _, t := range topics {
		text, err := topicTexts.ReadFile("topics/" + t.name + ".txt")
		if err != nil {
			panic(err) // it is not embedded
		}
		cmds = append(cmds, &cobra.Command{Use: t.name, Short: t.short, Long: string(text)})
	}
	return cmds
}
