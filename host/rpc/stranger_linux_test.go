package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stranger is what a client of another user saw.
type stranger struct {
	User   int
	Dial   string // error of Dial
	Server string // what the host said
}

func init() { roles["stranger"] = playStranger }

func playStranger() {
	path := os.Getenv("RPC_TEST_SOCKET")
	s := stranger{User: os.Geteuid()}
	if _, err := Dial(context.Background(), path, api.HostInfoIn{}); err != nil {
		s.Dial = err.Error()
	}
	if nc, err := net.Dial("unix", path); err == nil {
		nc.(*net.UnixConn).CloseWrite() // a host that serves it has nothing to say
		said, _ := io.ReadAll(nc)
		s.Server = string(said)
	}
	json.NewEncoder(os.Stdout).Encode(s)
}

// askStranger runs the test binary as a client of the socket at path, and as another user if this is root.
func askStranger(t *testing.T, path string) (s stranger) {
	t.Helper()
	binary, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer binary.Close()
	cmd := exec.Command("/proc/self/fd/3") // another user cannot pass its folder
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{binary}
	cmd.Env = append(os.Environ(), roleVar+"=stranger", "RPC_TEST_SOCKET="+path, "GORACE=atexit_sleep_ms=0")
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 64123, Gid: 64123}}
	}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	require.NoError(t, cmd.Run(), problems.String())
	require.NoError(t, json.Unmarshal(out.Bytes(), &s))
	return s
}

// The folder keeps another user out, and if it does not, the host does; each says why. Who is not root cannot be another
// user, and is served.
func TestARealStranger(t *testing.T) {
	path := socketPath(t)
	listenAt(t, path, &fake{})
	s := askStranger(t, path)
	if os.Geteuid() != 0 {
		assert.Equal(t, stranger{User: os.Geteuid()}, s)
		return
	}
	assert.Equal(t, stranger{User: 64123, Dial: `connect to the host at ` + strconv.Quote(path) + `: it belongs to another user`}, s)

	for _, open := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path), path} {
		require.NoError(t, os.Chmod(open, 0o777))
	}
	s = askStranger(t, path)
	assert.Equal(t, stranger{
		User: 64123, Server: refusedUser(64123) + "\n",
		Dial: `connect to the host at ` + strconv.Quote(path) + `: it belongs to another user: user 0`,
	}, s)
}
