package luaapi

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/prochost/prochost/scripts"
)

// maxModules is how many modules of the user's own may be required.
const maxModules = 64

// embeddedPrefix begins the names of the modules that come with prochost.
const embeddedPrefix = "prochost."

// moduleName is what can be required. A dot is a directory's end; there is no way up.
var moduleName = regexp.MustCompile(`^[\pL_][\pL\pN_-]*(\.[\pL\pN_-]+)*$`)

// require finds the source of a module.
func (l *load) require(name string) (src []byte, chunk string, err error) {
	if !l.running {
		return nil, "", errors.New("require: only while the recipe loads")
	}
	if own, embedded := strings.CutPrefix(name, embeddedPrefix); embedded {
		if src, ok := scripts.Module(own); ok {
			return src, "<" + name + ">", nil
		}
		var names []string
		for _, m := range scripts.Modules() {
			names = append(names, embeddedPrefix+m)
		}
		return nil, "", fmt.Errorf("there is no module %s in the library of prochost%s", quote(name), didYouMean(name, names))
	}
	if !moduleName.MatchString(name) {
		return nil, "", fmt.Errorf("%s is no name of a module: it is a path below the recipe, with dots in place of slashes and without .lua", quote(name))
	}
	if l.modules == maxModules {
		return nil, "", fmt.Errorf("%s: a recipe may require %d modules", quote(name), maxModules)
	}
	path := filepath.Join(l.dir, strings.ReplaceAll(name, ".", "/")+".lua")
	chunk = l.shown(path)
	src, err = l.disk.read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("there is no module %s: no file %s", quote(name), chunk)
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", chunk, err)
	}
	l.modules++
	l.sources[chunk] = &source{path: path, text: src}
	return src, chunk, nil
}
