package rundir

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("RUNDIR_TEST_HOLD"); root != "" {
		hold(root)
	}
	os.Exit(m.Run())
}

// hold is another host: it opens a run and holds it until it is killed.
func hold(root string) {
	r, err := Open(filepath.Join(root, "shop"), start)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(r.Dir + "\n")
	select {}
}

var start = time.Date(2026, 11, 30, 21, 57, 0, 123e6, time.UTC)

func TestOpen(t *testing.T) {
	root := filepath.Join(t.TempDir(), "state", "prochost")
	r, err := Open(filepath.Join(root, "shop"), start)
	require.NoError(t, err)
	defer r.Close()
	assert.Regexp(t, `/shop/runs/20261130-215700\.123-\d+$`, r.Dir)
	for dir := r.Dir; dir != filepath.Dir(root); dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o700), info.Mode().Perm(), dir)
	}
	_, err = Open(filepath.Join(root, "shop"), start)
	assert.ErrorIs(t, err, os.ErrExist, "two runs never share a folder")
}

func TestOpenRefuses(t *testing.T) {
	t.Run("a file in the way", func(t *testing.T) {
		root := filepath.Join(t.TempDir(), "prochost")
		require.NoError(t, os.WriteFile(root, nil, 0o600))
		_, err := Open(filepath.Join(root, "shop"), start)
		assert.ErrorContains(t, err, "make the folder for logs: mkdir "+root+": not a directory")
	})
	t.Run("a link in place of the project's folder", func(t *testing.T) {
		root, elsewhere := t.TempDir(), t.TempDir()
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(root, "shop")))
		_, err := Open(filepath.Join(root, "shop"), start)
		assert.ErrorContains(t, err, "it is a link, or no folder")
	})
}

// runs makes n runs that are over, a second apart, and returns their folders from the oldest on.
func runs(t *testing.T, root string, n int) []string {
	t.Helper()
	var dirs []string
	for i := range n {
		r, err := Open(filepath.Join(root, "shop"), start.Add(time.Duration(i-n)*time.Second))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(r.Dir, "proc_x-stdout.log"), []byte("x"), 0o600))
		require.NoError(t, r.Close())
		dirs = append(dirs, r.Dir)
	}
	return dirs
}

func TestPruneKeepsTheNewest(t *testing.T) {
	root := t.TempDir()
	old := runs(t, root, 5)
	foreign := filepath.Join(filepath.Dir(old[0]), "notes")
	require.NoError(t, os.Mkdir(foreign, 0o700))
	other, err := Open(filepath.Join(root, "other"), start.Add(-time.Hour))
	require.NoError(t, err)
	require.NoError(t, other.Close())

	r, err := Open(filepath.Join(root, "shop"), start)
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Prune())
	for _, dir := range old[:3] {
		assert.NoDirExists(t, dir)
	}
	for _, dir := range append(old[3:], foreign, other.Dir, r.Dir) {
		assert.DirExists(t, dir)
	}
}

func TestPruneLeavesWhatIsInUse(t *testing.T) {
	root := t.TempDir()
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), "RUNDIR_TEST_HOLD="+root)
	out, err := host.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, host.Start())
	defer host.Wait()
	defer host.Process.Kill()
	held, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	held = strings.TrimSpace(held)

	late := start.Add(time.Hour)
	open := func() *Run {
		late = late.Add(time.Second)
		r, err := Open(filepath.Join(root, "shop"), late)
		require.NoError(t, err)
		return r
	}
	for range 3 {
		r := open()
		require.NoError(t, r.Prune())
		require.NoError(t, r.Close())
	}
	assert.DirExists(t, held, "it is the oldest and its host lives")

	require.NoError(t, host.Process.Kill())
	host.Wait()
	r := open()
	defer r.Close()
	require.NoError(t, r.Prune())
	assert.NoDirExists(t, held, "its host was killed: nobody holds it")
}

// A run that was cut off before it had a lock is one that nobody holds.
func TestPruneRemovesWhatHasNoLock(t *testing.T) {
	root := t.TempDir()
	old := runs(t, root, 3)
	require.NoError(t, os.Remove(filepath.Join(old[0], "lock")))
	r, err := Open(filepath.Join(root, "shop"), start)
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Prune())
	assert.NoDirExists(t, old[0])
}
