package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
)

// Root returns the folder of all state: prochost in $XDG_STATE_HOME, which counts only if it is absolute, else in
// ~/.local/state.
func Root(getenv func(string) string) (string, error) {
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "prochost"), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("find the folder for logs: neither XDG_STATE_HOME nor HOME is set to an absolute path")
	}
	return filepath.Join(home, ".local", "state", "prochost"), nil
}

// maxBase is how many bytes of the project's own name stand in the name of its folder.
const maxBase = 40

// folder returns the name of a project's folder, the same for the same path.
func folder(project string) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}
	base := strings.TrimLeft(strings.Map(plain, filepath.Base(project)), ".-")
	hash := sha256.Sum256([]byte(project))
	return base[:min(len(base), maxBase)] + "-" + hex.EncodeToString(hash[:5])
}
