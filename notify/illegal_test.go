package notify

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every program in testdata/illegal must be refused by the compiler on the line that says so, and for no other
// reason; the control must compile.
func TestIllegalProgramsDoNotCompile(t *testing.T) {
	files, err := filepath.Glob("testdata/illegal/*.go")
	require.NoError(t, err)
	require.Greater(t, len(files), 10)
	imports := exportData(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
			require.NoError(t, err)
			var got []types.Error
			conf := types.Config{
				Importer: importer.ForCompiler(fset, "gc", imports),
				Error:    func(err error) { got = append(got, err.(types.Error)) },
			}
			conf.Check("p", fset, []*ast.File{f}, nil)

			want := map[int]string{}
			for _, group := range f.Comments {
				for _, c := range group.List {
					if text, ok := strings.CutPrefix(c.Text, "// ERROR "); ok {
						want[fset.Position(c.Pos()).Line] = text
					}
				}
			}
			if filepath.Base(file) == "control.go" {
				require.Empty(t, got)
				return
			}
			require.NotEmpty(t, want, "the program says nowhere what is wrong with it")
			require.NotEmpty(t, got, "the program compiles")
			for _, e := range got {
				text, ok := want[fset.Position(e.Pos).Line]
				require.True(t, ok, "unexpected: %s", e)
				assert.Contains(t, e.Msg, text)
			}
		})
	}
}

// exportData finds the compiled form of this package and of what it imports.
func exportData(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", ".")
	out, err := cmd.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		exports[p.ImportPath] = p.Export
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
}
