package statedir

import (
	"errors"
	"path/filepath"
)

// Root returns the folder of all state: prochost in $XDG_STATE_HOME, which counts only if it is absolute, else in
// ~/.local/state.
func Root(getenv func(string) string) (string, error) {
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "prochost"), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("find the folder for state: neither XDG_STATE_HOME nor HOME is set to an absolute path")
	}
	return filepath.Join(home, ".local", "state", "prochost"), nil
}
