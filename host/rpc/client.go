package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prochost/prochost/host/api"
)

// handshake is how long a host may take to accept a client and say who it is.
const handshake = 3 * time.Second

// Client is a host at the other end of a socket. Any number of goroutines may use it; each of its streams has a connection
// of its own, so that one which is not read holds up nothing.
//
// The errors of its operations are those of the host (*api.Error), that of the context, a *VersionError, and what keeps a
// client from its host: ErrNoHost, ErrStale, ErrSilent, ErrForbidden, and ErrLost if the connection broke before the
// answer came, so that it is not known whether it was carried out. A connection that broke while nothing was under way is
// made anew.
type Client struct {
	dial  func(context.Context) (net.Conn, error)
	hello api.HostInfoIn
	at    string        // where the host is, for messages
	wait  time.Duration // for the handshake

	over atomic.Bool   // it was closed
	turn chan struct{} // holds one while somebody has what follows
	link *link
}

var _ api.Service = (*Client)(nil)

// Dial connects to the host that listens at path and introduces itself. Without a host, and with one that does not
// answer, it fails within seconds.
func Dial(ctx context.Context, path string, hello api.HostInfoIn) (*Client, error) {
	c := newClient(func(ctx context.Context) (net.Conn, error) { return connect(ctx, path) }, hello)
	c.at = fmt.Sprintf(" at %q", path)
	return c.start(ctx)
}

// NewClient is Dial for any way of making a connection.
func NewClient(ctx context.Context, dial func(context.Context) (net.Conn, error), hello api.HostInfoIn) (*Client, error) {
	return newClient(dial, hello).start(ctx)
}

func newClient(dial func(context.Context) (net.Conn, error), hello api.HostInfoIn) *Client {
	return &Client{dial: dial, hello: hello, wait: handshake, turn: make(chan struct{}, 1)}
}

func (c *Client) start(ctx context.Context) (*Client, error) {
	if _, err := c.connected(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Host is what the host said of itself when the client connected.
func (c *Client) Host() api.HostInfo {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	return c.link.host
}

// Close ends the connection; whoever waits for an answer gets ErrLost. Streams are closed on their own.
func (c *Client) Close() {
	c.over.Store(true)
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.link.fail(errClosed)
}

var errClosed = fmt.Errorf("%w: it was closed", ErrLost)

// Call asks for the operation method. in holds its parameters; out is a pointer to what it results in, or nil.
func (c *Client) Call(ctx context.Context, method string, in, out any) error {
	for again := true; ; again = false {
		l, err := c.connected(ctx)
		if err != nil {
			return err
		}
		if err := speaks(l.host, method); err != nil {
			return err
		}
		raw, err := l.call(ctx, method, in)
		switch {
		case err == nil:
			return understand(method, raw, out)
		case errors.Is(err, errUnsent) && again:
		default:
			return failed(method, err)
		}
	}
}

// failed adds to err what was asked, unless the host has worded it.
func failed(method string, err error) error {
	var own *api.Error
	if errors.As(err, &own) && !errors.Is(err, ErrLost) {
		return own
	}
	return fmt.Errorf("ask for %q: %w", method, err)
}

// connected returns the link to the host, made anew if it broke.
func (c *Client) connected(ctx context.Context) (*link, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.turn }()
	if c.over.Load() {
		return nil, errClosed
	}
	if c.link != nil {
		select {
		case <-c.link.done:
		default:
			return c.link, nil
		}
	}
	w, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	c.link = newLink(w)
	return c.link, nil
}

// open makes a connection and introduces the client.
func (c *Client) open(ctx context.Context) (*wire, error) {
	within, cancel := context.WithTimeout(ctx, c.wait)
	defer cancel()
	for {
		nc, err := c.dial(within)
		if err == nil {
			var w *wire
			if w, err = introduce(within, nc, c.hello); err == nil {
				return w, nil
			}
		}
		if errors.Is(err, ErrLost) { // a host that has too many clients closed it
			select {
			case <-time.After(10 * time.Millisecond):
				continue
			case <-within.Done():
			}
		}
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case within.Err() != nil:
			err = ErrSilent
		}
		return nil, fmt.Errorf("connect to the host%s: %w", c.at, err)
	}
}

// VersionError says that host and client speak different protocols.
type VersionError struct {
	Host   api.HostInfo
	Method string // that was asked for
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("ask for %q: the host (process %d, prochost %s) speaks protocol %d, and this prochost protocol %d; stop that host and start it again",
		e.Method, e.Host.PID, e.Host.Version, e.Host.Protocol, api.Protocol)
}

// speaks returns an error if a host does not understand a method.
func speaks(host api.HostInfo, method string) error {
	if host.Protocol != api.Protocol && !slices.Contains(anyProtocol, method) {
		return &VersionError{Host: host, Method: method}
	}
	return nil
}
