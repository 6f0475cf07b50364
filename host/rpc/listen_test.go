package rpc

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/statedir"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// socketPath is where a test may listen.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rpc") // short, as paths of sockets must be
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "run", "s")
}

// listenAt serves s at a path for as long as the test lasts.
func listenAt(t *testing.T, path string, s api.Service, change ...func(*limits)) *rig {
	t.Helper()
	l, err := Listen(path)
	require.NoError(t, err)
	r := newRig(t, s, change...)
	go r.server.Serve(l)
	return r
}

func TestListenIsForItsOwnerAlone(t *testing.T) {
	path := socketPath(t)
	old := syscall.Umask(0)
	l, err := Listen(path)
	syscall.Umask(old)
	require.NoError(t, err)
	defer l.Close()
	for name, want := range map[string]os.FileMode{
		filepath.Dir(path): os.ModeDir | 0o700, path: os.ModeSocket | 0o600, path + ".lock": 0o600,
	} {
		info, err := os.Lstat(name)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode(), name)
	}
}

func TestListenRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(path string) error
		want    string
	}{
		"a folder that is a link": {func(path string) error { return os.Symlink(os.TempDir(), filepath.Dir(path)) }, "it is a link, or no folder"},
		"something that is no socket": {func(path string) error {
			return errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600))
		}, "something else is there that is no socket"},
		"a link to a socket": {func(path string) error {
			return errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.Symlink("/tmp/socket", path))
		}, "something else is there that is no socket"},
	} {
		t.Run(name, func(t *testing.T) {
			path := socketPath(t)
			require.NoError(t, tt.prepare(path))
			before, err := os.Lstat(path)
			_, listened := Listen(path)
			require.ErrorContains(t, listened, "listen at "+strconv.Quote(path)+": ")
			assert.ErrorContains(t, listened, tt.want)
			if err == nil {
				after, err := os.Lstat(path)
				require.NoError(t, err)
				assert.True(t, os.SameFile(before, after), "it was not touched")
			}
		})
	}
}

func TestListenLeavesALivingHostAlone(t *testing.T) {
	path := socketPath(t)
	first := listenAt(t, path, &fake{})
	_, err := Listen(path)
	assert.ErrorIs(t, err, ErrInUse)

	require.NoError(t, os.Remove(path+".lock")) // some cleaner of temporary files
	_, err = Listen(path)
	assert.ErrorIs(t, err, ErrInUse)
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	newPeer(t, nc).works()
	assert.Empty(t, first.told())
}

// A socket whose queue is full is that of a host that lives.
func TestListenLeavesABusyHostAlone(t *testing.T) {
	path := socketPath(t)
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer syscall.Close(fd)
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	require.NoError(t, syscall.Listen(fd, 0))
	for {
		nc, err := net.Dial("unix", path)
		if err != nil {
			require.ErrorIs(t, err, syscall.EAGAIN)
			break
		}
		defer nc.Close()
	}
	_, err = Listen(path)
	assert.ErrorIs(t, err, ErrInUse)
	assert.FileExists(t, path)
}

// abandon leaves a socket behind as a host does that is killed.
func abandon(t *testing.T, path string) {
	t.Helper()
	l, err := Listen(path)
	require.NoError(t, err)
	require.NoError(t, l.UnixListener.Close())
	require.NoError(t, l.lock.Close())
	require.FileExists(t, path)
}

func TestListenReplacesWhatAKilledHostHasLeft(t *testing.T) {
	path := socketPath(t)
	abandon(t, path)
	listenAt(t, path, &fake{})
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	newPeer(t, nc).works()
}

// Of many that listen at once where a killed host has left its socket, one does, and it is that one's socket that stays.
func TestOneListens(t *testing.T) {
	path := socketPath(t)
	abandon(t, path)
	listeners := make([]*Listener, 20)
	var all sync.WaitGroup
	for i := range listeners {
		all.Go(func() {
			l, err := Listen(path)
			if err != nil {
				assert.ErrorIs(t, err, ErrInUse)
			}
			listeners[i] = l
		})
	}
	all.Wait()
	listeners = slices.DeleteFunc(listeners, func(l *Listener) bool { return l == nil })
	require.Len(t, listeners, 1)
	go newRig(t, &fake{}).server.Serve(listeners[0])
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	newPeer(t, nc).works()
}

// A host that ends removes its own socket, not one that another host has made in its place.
func TestCloseRemovesItsOwnSocket(t *testing.T) {
	path := socketPath(t)
	l, err := Listen(path)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.NoFileExists(t, path)

	l, err = Listen(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Remove(path+".lock"))
	listenAt(t, path, &fake{})
	require.NoError(t, l.Close())
	nc, err := connect(t.Context(), path)
	require.NoError(t, err, "its socket is there")
	newPeer(t, nc).works()
}

// Paths of projects may be long; those of their sockets are not.
func TestListenForAProjectOfAnyPath(t *testing.T) {
	home := t.TempDir()
	for _, project := range []string{"/p/" + strings.Repeat("x", 150), "/p/" + strings.Repeat("deep/", 500), "/p/ name\nwith ünïcode"} {
		d, err := statedir.Of(func(key string) string { return map[string]string{"HOME": home}[key] }, project)
		require.NoError(t, err)
		listenAt(t, d.Socket, &fake{})
		c, err := Dial(t.Context(), d.Socket, api.HostInfoIn{})
		require.NoError(t, err)
		c.Close()
	}
}

func TestAnotherUserIsRefused(t *testing.T) {
	path := socketPath(t)
	l, err := Listen(path)
	require.NoError(t, err)
	l.peer = func(*net.UnixConn) (int, error) { return 4711, nil }
	r := newRig(t, &fake{})
	go r.server.Serve(l)
	nc, err := net.Dial("unix", path)
	require.NoError(t, err)
	p := newPeer(t, nc)
	assert.Equal(t, refusedUser(4711), p.line())
	assert.Empty(t, p.over())

	_, err = Dial(t.Context(), path, api.HostInfoIn{})
	var refused *api.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, api.ReasonForbidden, refused.Reason)
}

func refusedUser(uid int) string {
	me := strconv.Itoa(os.Geteuid())
	return `{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"this host belongs to user ` + me +
		`, and you are user ` + strconv.Itoa(uid) + `","data":{"reason":"forbidden"}}}`
}
