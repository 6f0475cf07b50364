package statedir

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// env is an environment.
type env map[string]string

func (e env) get(key string) string { return e[key] }

func TestRoot(t *testing.T) {
	for _, tt := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/prochost"},
		{"", "/h", "/h/.local/state/prochost"},
		{"relative", "/h", "/h/.local/state/prochost"},
		{"", "", ""},
		{"", "relative", ""},
	} {
		got, err := Root(env{"XDG_STATE_HOME": tt.state, "HOME": tt.home}.get)
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

func TestOf(t *testing.T) {
	run, long := t.TempDir(), "/"+strings.Repeat("x", maxSocket)
	hidden := filepath.Join(run, "file")
	require.NoError(t, os.WriteFile(hidden, nil, 0o600))
	mine := "/tmp/prochost-" + strconv.Itoa(os.Geteuid())
	for _, tt := range []struct{ what, runtime, home, want string }{
		{"the runtime directory", run, "/h", filepath.Join(run, "prochost")},
		{"none", "", "/h", "/h/.local/state/prochost"},
		{"one that is not absolute", ".", "/h", "/h/.local/state/prochost"},
		{"one that is gone", filepath.Join(run, "gone"), "/h", "/h/.local/state/prochost"},
		{"one that is a file", hidden, "/h", "/h/.local/state/prochost"},
		{"a home that is deep", "", long, mine},
	} {
		for _, project := range []string{"/p/shop", "/p/" + strings.Repeat("deep/", 30), "/p/" + strings.Repeat("x", 4000)} {
			d, err := Of(env{"XDG_RUNTIME_DIR": tt.runtime, "HOME": tt.home}.get, project)
			require.NoError(t, err)
			assert.Equal(t, tt.want, filepath.Dir(d.Socket), tt.what)
			assert.LessOrEqual(t, len(d.Socket), maxSocket, tt.what)
			assert.Equal(t, filepath.Join(tt.home, ".local/state/prochost", folder(project)), d.State)
		}
	}
	_, err := Of(env{}.get, "/p/shop")
	assert.EqualError(t, err, "find the folder for state: neither XDG_STATE_HOME nor HOME is set to an absolute path")
}

// Who became another user by su has the runtime directory of the one they were.
func TestOfLeavesTheRuntimeDirectoryOfOthersAlone(t *testing.T) {
	theirs := t.TempDir()
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(theirs, 12345, -1))
	} else {
		theirs = "/"
	}
	d, err := Of(env{"XDG_RUNTIME_DIR": theirs, "HOME": "/h"}.get, "/p/shop")
	require.NoError(t, err)
	assert.Equal(t, "/h/.local/state/prochost", filepath.Dir(d.Socket))
}

func TestSocketsOfProjectsDiffer(t *testing.T) {
	a, err := Of(env{"HOME": "/h"}.get, "/p/shop")
	require.NoError(t, err)
	b, err := Of(env{"HOME": "/h"}.get, "/q/shop")
	require.NoError(t, err)
	assert.NotEqual(t, a.Socket, b.Socket)
}
