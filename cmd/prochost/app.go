package main

import (
	"os"
	"strings"

	"github.com/prochost/prochost/cmd/prochost/console"
	"golang.org/x/term"
)

// app is what the verbs share: the surroundings, and the flags that all of them have.
type app struct {
	stdin, stdout, stderr *os.File
	environ               []string
	reach                 reach
	project               string // --project
}

// getenv returns a variable of the environment; of one that is there twice the last counts, as for os.Getenv.
func (a *app) getenv(name string) string {
	value := ""
	for _, e := range a.environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// people is how something is shown to people on f.
func (a *app) people(f *os.File, color string) console.Options {
	terminal := term.IsTerminal(int(f.Fd()))
	opt := console.Options{Color: useColor(color, terminal, a.getenv), Hint: terminal}
	opt.Dir, _ = os.Getwd() // without one, paths are shown whole
	if terminal {
		opt.Source = os.ReadFile
	}
	return opt
}

// useColor decides whether there are colours. What is asked for by the flag goes before what the surroundings say.
func useColor(flag string, terminal bool, getenv func(string) string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
