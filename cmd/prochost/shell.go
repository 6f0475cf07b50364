package main

import "os/exec"

// shell is what runs a command that is one string: bash where there is one, else sh. It is no login shell: the
// environment is that of the recipe.
func shell() []string {
	for _, name := range []string{"bash", "sh"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path, "-c"}
		}
	}
	return []string{"/bin/sh", "-c"}
}
