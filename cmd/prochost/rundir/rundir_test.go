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
	r, err := Open(root, "/p/shop", start)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(r.Dir + "\n")
	select {}
}

var start = time.Date(2026, 11, 30, 21, 57, 0, 123e6, time.UTC)

func TestRoot(t *testing.T) {
	for _, tt := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/prochost"},
		{"", "/h", "/h/.local/state/prochost"},
		{"relative", "/h", "/h/.local/state/prochost"},
		{"", "", ""},
		{"", "relative", ""},
	} {
		got, err := Root(func(k string) string { return map[string]string{"XDG_STATE_HOME": tt.state, "HOME": tt.home}[k] })
		assert.Equal(t, tt.want, got)
		assert.Equal(t, tt.want == "", err != nil)
	}
}

func TestFolder(t *testing.T) {
	for project, base := range map[string]string{
		"/p/shop":                          "shop",
		"/q/shop":                          "shop",
		"/p/my shop äöü":                   "my-shop----",
		"/p/..hidden":                      "hidden",
		"/":                                "",
		"/p/" + strings.Repeat("long", 60): strings.Repeat("long", 10),
	} {
		got := folder(project)
		assert.Regexp(t, "^"+base+"-[0-9a-f]{10}$", got)
		assert.Equal(t, got, folder(project))
	}
	assert.NotEqual(t, folder("/p/shop"), folder("/q/shop"))
}

func TestOpen(t *testing.T) {
	root := filepath.Join(t.TempDir(), "state", "prochost")
	r, err := Open(root, "/p/shop", start)
	require.NoError(t, err)
	defer r.Close()
	assert.Regexp(t, `/shop-[0-9a-f]{10}/runs/20261130-215700\.123-\d+$`, r.Dir)
	for dir := r.Dir; dir != filepath.Dir(root); dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o700), info.Mode().Perm(), dir)
	}
	_, err = Open(root, "/p/shop", start)
	assert.ErrorIs(t, err, os.ErrExist, "two runs never share a folder")
}

func TestOpenRefuses(t *testing.T) {
	t.Run("a file in the way", func(t *testing.T) {
		root := filepath.Join(t.TempDir(), "prochost")
		require.NoError(t, os.WriteFile(root, nil, 0o600))
		_, err := Open(root, "/p/shop", start)
		assert.ErrorContains(t, err, "make the folder for logs: mkdir "+root+": not a directory")
	})
	t.Run("a link in place of the project's folder", func(t *testing.T) {
		root, elsewhere := t.TempDir(), t.TempDir()
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(root, folder("/p/shop"))))
		_, err := Open(root, "/p/shop", start)
		assert.ErrorContains(t, err, "it is a link, or no folder")
	})
	t.Run("a folder of somebody else's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			assert.Error(t, os.Chown(t.TempDir(), 12345, -1), "who is not root cannot make such a folder")
			return
		}
		root := t.TempDir()
		dir := filepath.Join(root, folder("/p/shop"))
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.Chown(dir, 12345, -1))
		_, err := Open(root, "/p/shop", start)
		assert.ErrorContains(t, err, "it belongs to user 12345")
	})
}

func TestOpenClosesTheFolderToOthers(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, folder("/p/shop"))
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.Chmod(dir, 0o777))
	r, err := Open(root, "/p/shop", start)
	require.NoError(t, err)
	defer r.Close()
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// runs makes n runs that are over, a second apart, and returns their folders from the oldest on.
func runs(t *testing.T, root string, n int) []string {
	t.Helper()
	var dirs []string
	for i := range n {
		r, err := Open(root, "/p/shop", start.Add(time.Duration(i-n)*time.Second))
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
	other, err := Open(root, "/q/shop", start.Add(-time.Hour))
	require.NoError(t, err)
	require.NoError(t, other.Close())

	r, err := Open(root, "/p/shop", start)
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
		r, err := Open(root, "/p/shop", late)
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
	r, err := Open(root, "/p/shop", start)
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Prune())
	assert.NoDirExists(t, old[0])
}
