package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// survivors are the command lines of the processes that have mark in their environment. Where the system does not
// show environments there are none.
func survivors(t *testing.T, mark string) (found []string) {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, path := range environments {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00")) {
			continue // not ours, or gone
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}

func TestSurvivorsAreSeen(t *testing.T) {
	if runtime.GOOS != "linux" {
		return
	}
	const mark = "PROCHOST_EXAMPLES_SURVIVOR=1"
	cat := exec.Command("cat")
	cat.Env = []string{mark}
	stdin, err := cat.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cat.Start())
	assert.Equal(t, []string{"cat "}, survivors(t, mark))
	require.NoError(t, stdin.Close())
	require.NoError(t, cat.Wait())
	assert.Empty(t, survivors(t, mark))
}
