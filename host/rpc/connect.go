package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

// What keeps a client from its host.
var (
	ErrNoHost    = errors.New("no host is running")
	ErrStale     = fmt.Errorf("%w; the one that was has been killed", ErrNoHost) // its socket is still there
	ErrSilent    = errors.New("the host does not answer")
	ErrForbidden = errors.New("it belongs to another user")
	ErrLost      = errors.New("the connection to the host broke")
)

// connect connects to the socket at path.
func connect(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	for {
		nc, err := d.DialContext(ctx, "unix", path)
		if err == nil {
			return verify(nc.(*net.UnixConn))
		}
		// A queue that is full is one that the host will get to.
		if !errors.Is(err, syscall.EAGAIN) {
			return nil, explain(ctx, path, err)
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return nil, explain(ctx, path, ctx.Err())
		}
	}
}

// verify refuses a host of somebody else.
func verify(nc *net.UnixConn) (net.Conn, error) {
	uid, err := peerUID(nc)
	switch {
	case err != nil:
		nc.Close()
		return nil, fmt.Errorf("ask whose it is: %w", err)
	case uid != os.Geteuid():
		nc.Close()
		return nil, fmt.Errorf("%w: user %d", ErrForbidden, uid)
	}
	return nc, nil
}

// explain says in words of hosts why there is no connection.
func explain(ctx context.Context, path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return ErrNoHost
	case errors.Is(err, syscall.ECONNREFUSED):
		if info, statErr := os.Stat(path); statErr == nil && info.Mode().Type() != os.ModeSocket {
			return errors.New("it is no socket")
		}
		return ErrStale
	case errors.Is(err, os.ErrPermission):
		return ErrForbidden
	case ctx.Err() != nil:
		return ErrSilent
	}
	return err
}
