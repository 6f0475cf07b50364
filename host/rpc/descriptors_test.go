package rpc

import (
	"net"
	"os"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A host that has no descriptor left gives one back that nobody uses, and serves its owner.
func TestAHostWithoutDescriptors(t *testing.T) {
	path := socketPath(t)
	r := listenAt(t, path, &fake{})
	for range 4 {
		nc, err := connect(t.Context(), path)
		require.NoError(t, err)
		defer nc.Close()
	}
	c, err := Dial(t.Context(), path, api.HostInfoIn{}) // the four have been accepted by then
	require.NoError(t, err)
	defer c.Close()

	// From here on this process, which is host and client, has one descriptor left: for the client.
	var old unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &old))
	spare, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer spare.Close()
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(spare.Fd()) + 1, Max: old.Max}))
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &old)
	var filler []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			require.ErrorIs(t, err, unix.EMFILE)
			break
		}
		filler = append(filler, f)
	}
	defer func() {
		for _, f := range filler {
			f.Close()
		}
	}()
	spare.Close()
	nc, err := net.Dial("unix", path)
	require.NoError(t, err)
	newPeer(t, nc).works()
	require.Len(t, r.told(), 1)
	assert.Contains(t, r.told()[0], "too many open files")
}
