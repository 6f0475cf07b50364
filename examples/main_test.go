package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// root is the top of the repository, where the commands of the documentation are typed.
var root string

// prochost is the binary that all tests run.
var prochost string

var buildFlags = []string{"-buildvcs=false"}

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "prochost-examples-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if root, err = filepath.Abs(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	prochost = filepath.Join(dir, "prochost")
	build := exec.Command("go", append(append([]string{"build"}, buildFlags...), "-o", prochost, "./cmd/prochost")...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build prochost: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
