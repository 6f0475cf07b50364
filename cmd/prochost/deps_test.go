package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/prochost/prochost/"

// allowed is who may import whom: data flows one way, from the process to whoever is told. A package that has no row
// here fails the test.
var allowed = map[string][]string{
	"manager/proc":     {},
	"notify/text":      {},
	"notify/scan":      {},
	"notify":           {"manager/proc", "notify/scan", "notify/text"},
	"luaapi/recipe":    {"manager/proc", "notify"},
	"luaapi/vm":        {"notify/spell"},
	"luaapi":           {"luaapi/recipe", "luaapi/vm", "manager/proc", "notify", "scripts", "notify/spell"},
	"manager/logs":     {"manager/proc"},
	"manager":          {"manager/proc"},
	"host/stack":       {"luaapi/recipe", "manager/proc"},
	"host/api":         {"manager/proc", "notify"},
	"host/filewatch":   {},
	"host/journal/wal": {},
	"host/journal":     {"host/journal/wal", "manager/proc"},
	"host/usage":       {},
	"host/statedir":    {},
	"host/rpc":         {"host/api", "host/statedir", "notify/spell"},
	"manager/proctest": {},
	"host": {
		"host/api", "host/filewatch", "host/journal", "host/stack", "host/usage", "luaapi", "luaapi/recipe", "manager", "manager/logs", "manager/proc",
		"notify", "notify/text",
	},
	"scripts":              {},
	"notify/spell":         {},
	"cmd/prochost/ink":     {},
	"cmd/prochost/console": {"cmd/prochost/ink", "host/api", "notify", "notify/text"},
	"cmd/prochost/view":    {"cmd/prochost/ink", "host/api", "notify", "notify/text"},
	"cmd/prochost/doctor":  {"cmd/prochost/view", "notify"},
	"cmd/prochost/rundir":  {"host/statedir"},
	"examples":             {},
	"examples/go/importer": {},
	"cmd/prochost": {
		"cmd/prochost/console", "cmd/prochost/doctor", "cmd/prochost/rundir", "cmd/prochost/view", "host", "host/api",
		"host/rpc", "host/stack", "host/statedir", "luaapi", "notify", "notify/spell",
	},
}

func TestImportsGoOneWay(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		may, ok := allowed[name]
		if !assert.True(t, ok, "%s has no row in allowed", name) {
			continue
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok {
				assert.Contains(t, may, ours, "%s imports %s", name, ours)
			}
		}
	}
}

// Decisions are pure: what makes them runs nothing, waits for nothing and asks no clock.
func TestDecisionsArePure(t *testing.T) {
	banned := []string{"context", "io", "net", "os", "os/exec", "os/signal", "sync", "sync/atomic", "log", "log/slog", "math/rand", "math/rand/v2", "runtime", "unsafe"}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}
	for _, dir := range []string{"notify", "notify/scan", "notify/text", "host/stack", "cmd/prochost/console", "notify/spell"} {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, 0)
			require.NoError(t, err)
			for _, i := range f.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				if dir == "cmd/prochost/console" && path == "io" {
					continue // it is given the writer that it writes to
				}
				assert.NotContains(t, banned, path, "%s imports it", file)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					assert.Fail(t, "it starts a goroutine", "%s", fset.Position(n.Pos()))
				case *ast.SelectorExpr:
					if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" {
						assert.NotContains(t, clock, n.Sel.Name, "%s asks the clock", fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
}

// Sources that are only built elsewhere keep to the same rules.
func TestImportsOfAllSystems(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && path != "../..") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel("../..", filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, module); ok {
				assert.Contains(t, allowed[name], ours, "%s imports %s", path, ours)
			}
		}
		return nil
	})
	require.NoError(t, err)
}
