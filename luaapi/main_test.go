package luaapi

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testOptions are those of a host with next to nothing in its environment.
func testOptions(path string) Options {
	return Options{
		Path: path, Env: []string{"HOME=/home/ann", "PATH=/bin"}, Shell: []string{"/bin/sh", "-c"},
		Version: "0.3.1", Session: "s1",
	}
}

// write puts files, by their path below a fresh directory, and returns the directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// loadText loads a recipe of one file, which must be good.
func loadText(t *testing.T, text string, change ...func(*Options)) *Program {
	t.Helper()
	return loadFiles(t, map[string]string{"prochost.lua": text}, change...)
}

// loadFiles loads prochost.lua of these, which must be good.
func loadFiles(t *testing.T, files map[string]string, change ...func(*Options)) *Program {
	t.Helper()
	opt := testOptions(filepath.Join(write(t, files), "prochost.lua"))
	for _, c := range change {
		c(&opt)
	}
	p, _, err := Load(context.Background(), opt)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}
