package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// buildInfo says what this program was built from.
type buildInfo struct {
	Version  string `json:"version"` // of the release, or "devel"
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the checkout was not clean
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func build() buildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := buildInfo{Version: releaseOf(info.Main.Version), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// releaseOf returns the release that a module version stands for: without the v, and "devel" where there is none.
func releaseOf(module string) string {
	v, ok := strings.CutPrefix(module, "v")
	if !ok || strings.HasPrefix(v, "0.0.0-") { // made up from a commit before the first tag
		return "devel"
	}
	return v
}

func versionCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := build()
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(b)
			}
			line := "prochost " + b.Version
			if b.Commit != "" {
				line += " (" + b.Commit[:min(len(b.Commit), 12)]
				if b.Modified {
					line += ", modified"
				}
				line += ")"
			}
			_, err := fmt.Fprintf(a.stdout, "%s %s/%s %s\n", line, b.OS, b.Arch, b.Go)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}
