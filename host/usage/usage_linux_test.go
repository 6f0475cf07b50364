package usage

import (
	"net"
	"net/netip"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseStat(t *testing.T) {
	p, ok := parseStat(7, []byte("7 (a b) (c) S 3 7 5 0 -1 4194304 100 0 0 0 150 50 9 9 20 0 1 0 1000 4096 25 18446744073709551615 1 1"))
	assert.True(t, ok)
	assert.Equal(t, Process{PID: 7, Parent: 3, Session: 5, CPU: 200 * tick, Memory: 25 * page}, p)
	for _, bad := range []string{"", "7 (x", "7 (x) S 1 2"} {
		_, ok := parseStat(7, []byte(bad))
		assert.False(t, ok, bad)
	}
}

func TestParseSocket(t *testing.T) {
	const line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1"
	inode, at, ok := parseSocket(line, "0A")
	assert.True(t, ok)
	assert.Equal(t, "12345", inode)
	assert.Equal(t, netip.MustParseAddrPort("127.0.0.1:8080"), at)
	_, _, ok = parseSocket(line, "07")
	assert.False(t, ok)
	_, at, ok = parseSocket("0: 00000000000000000000000001000000:0050 0:0 0A 0:0 0:0 0 0 0 9 1", "0A")
	assert.True(t, ok)
	assert.Equal(t, netip.MustParseAddrPort("[::1]:80"), at)
}

func TestThisProcess(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	table, err := Table()
	require.NoError(t, err)
	tree := Trees(table, []int{os.Getpid()})[os.Getpid()]
	assert.Equal(t, os.Getpid(), tree.PIDs[0])
	assert.Greater(t, tree.Memory, int64(1<<20))
	sockets, err := Listening(tree.PIDs)
	require.NoError(t, err)
	assert.Contains(t, sockets, Socket{Protocol: "tcp", Address: l.Addr().(*net.TCPAddr).AddrPort(), PID: os.Getpid()})
}
