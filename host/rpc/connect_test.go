package rpc

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDialWithoutAHost(t *testing.T) {
	path := socketPath(t)
	at := "connect to the host at " + strconv.Quote(path) + ": "

	_, err := Dial(t.Context(), path, api.HostInfoIn{})
	assert.EqualError(t, err, at+"no host is running")
	assert.ErrorIs(t, err, ErrNoHost)
	assert.NotErrorIs(t, err, ErrStale)

	abandon(t, path)
	_, err = Dial(t.Context(), path, api.HostInfoIn{})
	assert.EqualError(t, err, at+"no host is running; the one that was has been killed")
	assert.ErrorIs(t, err, ErrStale)
	assert.ErrorIs(t, err, ErrNoHost)

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err = Dial(t.Context(), path, api.HostInfoIn{})
	assert.EqualError(t, err, at+"it is no socket")

	_, err = Dial(t.Context(), filepath.Join(path, "below"), api.HostInfoIn{})
	assert.ErrorContains(t, err, "not a directory")
}

// A host that does not answer is one whose queue is full, or that takes a client and says nothing.
func TestDialOfAHostThatDoesNotAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dials := map[string]func(context.Context) (net.Conn, error){
			"it never accepts": func(ctx context.Context) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
			"it never reads":   func(ctx context.Context) (net.Conn, error) { far, _ := net.Pipe(); return far, nil },
			"it never writes": func(ctx context.Context) (net.Conn, error) {
				far, near := net.Pipe()
				go near.Read(make([]byte, 1000))
				return far, nil
			},
			"it hangs up each time": func(ctx context.Context) (net.Conn, error) {
				far, near := net.Pipe()
				near.Close()
				return far, nil
			},
		}
		for name, dial := range dials {
			began := time.Now()
			_, err := NewClient(t.Context(), dial, api.HostInfoIn{})
			assert.EqualError(t, err, "connect to the host: the host does not answer", name)
			assert.ErrorIs(t, err, ErrSilent)
			assert.Equal(t, handshake, time.Since(began), name)

			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err = NewClient(ctx, dial, api.HostInfoIn{})
			assert.ErrorIs(t, err, context.DeadlineExceeded, name)
			cancel()
		}
		synctest.Wait()
	})
}

func TestDialOfSomethingElse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err := NewClient(t.Context(), func(context.Context) (net.Conn, error) {
			far, near := net.Pipe()
			go func() {
				near.Read(make([]byte, 1000))
				near.Write([]byte("220 mail.example.com ESMTP\n"))
			}()
			return far, nil
		}, api.HostInfoIn{})
		assert.ErrorContains(t, err, "connect to the host: what is there is no host: ")
	})
}

// A queue that is full is waited for: the host will get to it.
func TestDialWaitsForItsTurn(t *testing.T) {
	path := socketPath(t)
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	require.NoError(t, syscall.Listen(fd, 0))
	file := os.NewFile(uintptr(fd), path)
	l, err := net.FileListener(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	for {
		nc, err := net.Dial("unix", path)
		if err != nil {
			require.ErrorIs(t, err, syscall.EAGAIN)
			break
		}
		defer nc.Close()
	}
	type dialled struct {
		c   *Client
		err error
	}
	got := make(chan dialled)
	go func() {
		c, err := Dial(t.Context(), path, api.HostInfoIn{})
		got <- dialled{c, err}
	}()
	go newRig(t, &fake{}).server.Serve(l)
	d := <-got
	require.NoError(t, d.err)
	d.c.Close()
}

func TestExplainKeepsWhatItDoesNotKnow(t *testing.T) {
	odd := errors.New("odd")
	assert.Equal(t, odd, explain(t.Context(), "/x", odd))
	assert.Equal(t, ErrForbidden, explain(t.Context(), "/x", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EACCES)}))
}
