package statedir

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Dir is where the things of one project lie. Of makes it; nothing of it need exist.
type Dir struct {
	Project string // the folder of the project, absolute
	State   string // the folder of what is kept of it
	Socket  string // where its host would listen if it were started here
}

// Of returns where the things of a project lie. Its path is absolute and without links, so that a project is one
// project whichever way leads to it.
func Of(getenv func(string) string, project string) (Dir, error) {
	root, err := Root(getenv)
	if err != nil {
		return Dir{}, err
	}
	d := Dir{Project: project, State: filepath.Join(root, folder(project))}
	if d.Socket, err = socket(getenv("XDG_RUNTIME_DIR"), root, project); err != nil {
		return Dir{}, err
	}
	return d, nil
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
	return base[:min(len(base), maxBase)] + "-" + hash(project)[:10]
}

// hash is a name of the project, of 64 characters.
func hash(project string) string {
	sum := sha256.Sum256([]byte(project))
	return hex.EncodeToString(sum[:])
}
