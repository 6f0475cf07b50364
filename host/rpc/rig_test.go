package rpc

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rig is a server in memory.
type rig struct {
	t      *testing.T
	server *Server

	mu       sync.Mutex
	troubles []string
}

// newRig makes a server whose limits may be changed before it is used. It is shut down when the test ends.
func newRig(t *testing.T, s api.Service, change ...func(*limits)) *rig {
	l := defaults()
	l.connections = 16
	for _, f := range change {
		f(&l)
	}
	r := &rig{t: t}
	r.server = newServer(s, func(message string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.troubles = append(r.troubles, message)
	}, l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		assert.NoError(t, r.server.Shutdown(ctx))
	})
	return r
}

func (r *rig) told() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.troubles
}

// peer is a client that speaks the wire itself.
type peer struct {
	t  *testing.T
	nc net.Conn
	in *bufio.Reader
}

func newPeer(t *testing.T, nc net.Conn) *peer {
	p := &peer{t: t, nc: nc, in: bufio.NewReader(nc)}
	t.Cleanup(func() { nc.Close() })
	return p
}

// connect is a new client of the server.
func (r *rig) connect() *peer {
	far, near := net.Pipe()
	go r.server.ServeConn(near)
	return newPeer(r.t, far)
}

// client is a Client of the server.
func (r *rig) client(hello api.HostInfoIn) *Client {
	c, err := NewClient(r.t.Context(), r.dial, hello)
	require.NoError(r.t, err)
	r.t.Cleanup(c.Close)
	return c
}

func (r *rig) dial(context.Context) (net.Conn, error) {
	far, near := net.Pipe()
	go r.server.ServeConn(near)
	return far, nil
}

func (p *peer) send(text string) {
	p.t.Helper()
	_, err := io.WriteString(p.nc, text)
	require.NoError(p.t, err)
}

// line returns the next frame.
func (p *peer) line() string {
	p.t.Helper()
	line, err := p.in.ReadString('\n')
	require.NoError(p.t, err, "got %q", line)
	return line[:len(line)-1]
}

// ask sends one line and returns the next frame.
func (p *peer) ask(line string) string {
	p.t.Helper()
	p.send(line + "\n")
	return p.line()
}

// over sees to it that the host has closed the connection, and returns what it has said before.
func (p *peer) over() string {
	p.t.Helper()
	rest, err := io.ReadAll(p.in)
	if !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, syscall.ECONNRESET) { // it had not read all that was sent
		require.NoError(p.t, err)
	}
	return string(rest)
}

// A request as it stands on the wire, and its answer.
const (
	ping = `{"jsonrpc":"2.0","id":"ping","method":"process.list"}`
	pong = `{"jsonrpc":"2.0","id":"ping","result":[]}`
)

func (p *peer) works() {
	p.t.Helper()
	require.Equal(p.t, pong, p.ask(ping))
}
