package statedir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOwnMakesFoldersForTheirOwnerAlone(t *testing.T) {
	top := filepath.Join(t.TempDir(), "state")
	dir := filepath.Join(top, "prochost", "shop")
	require.NoError(t, Own(dir))
	for ; dir != filepath.Dir(top); dir = filepath.Dir(dir) {
		assert.Equal(t, os.FileMode(0o700), mode(t, dir), dir)
	}
}

func TestOwnClosesTheFolderToOthers(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	require.NoError(t, Own(dir))
	assert.Equal(t, os.FileMode(0o700), mode(t, dir))
}

func TestOwnRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "prochost")
	t.Run("a file", func(t *testing.T) {
		require.NoError(t, os.WriteFile(dir, nil, 0o600))
		defer os.Remove(dir)
		assert.EqualError(t, Own(dir), "mkdir "+dir+": not a directory")
	})
	t.Run("a link", func(t *testing.T) {
		require.NoError(t, os.Symlink(t.TempDir(), dir))
		defer os.Remove(dir)
		assert.EqualError(t, Own(dir), "use "+dir+": it is a link, or no folder")
	})
	t.Run("a folder of somebody else's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			assert.EqualError(t, Own("/"), "use /: it belongs to user 0")
			return
		}
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.Chown(dir, 12345, -1))
		assert.EqualError(t, Own(dir), "use "+dir+": it belongs to user 12345")
	})
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}
