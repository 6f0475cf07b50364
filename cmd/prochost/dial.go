package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/statedir"
	"golang.org/x/sys/unix"
)

// sockets reaches hosts over their sockets.
type sockets struct{ a *app }

func (k sockets) dial(ctx context.Context, project string) (s api.Service, leave func(), err error) {
	dir, err := statedir.Of(k.a.getenv, project)
	if err != nil {
		return nil, nil, err
	}
	c, err := rpc.Dial(ctx, dir.HostSocket(), api.HostInfoIn{
		Client: "cli", Version: build().Version, Protocol: api.Protocol,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reach the host of %s: %w", project, err)
	}
	return c, c.Close, nil
}

func (k sockets) ensure(ctx context.Context, p place) (s api.Service, leave func(), err error) {
	s, leave, err = k.dial(ctx, p.project)
	if !errors.Is(err, rpc.ErrNoHost) {
		return s, leave, err
	}
	s, leave, _, _, err = k.a.backgroundOr(ctx, p, upOptions{none: true})
	return s, leave, err
}

func (k sockets) hosted(project string) bool {
	dir, err := statedir.Of(k.a.getenv, project)
	if err != nil {
		return false
	}
	_, ok := dir.Holder()
	return ok
}

// answerWithin is how long a host may take to say how it stands when all are asked.
const answerWithin = time.Second

func (k sockets) hosts(ctx context.Context) ([]view.Host, error) {
	root, err := statedir.Root(k.a.getenv)
	if err != nil {
		return nil, err
	}
	holders, err := statedir.Holders(root)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	list := make([]view.Host, len(holders))
	var asked sync.WaitGroup
	for i, h := range holders {
		asked.Go(func() { list[i] = describe(ctx, h) })
	}
	asked.Wait()
	return list, nil
}

// describe asks a host how it stands; of one that cannot be asked it is what its record says.
func describe(ctx context.Context, h statedir.Holder) view.Host {
	out := view.Host{Project: h.Project, PID: h.PID, Version: h.Version, Started: h.Started, Socket: h.Socket, State: "silent"}
	c, err := rpc.Dial(ctx, h.Socket, api.HostInfoIn{Client: "cli", Version: build().Version, Protocol: api.Protocol})
	switch {
	case err == nil:
		defer c.Close()
		info := c.Host()
		out.State, out.Live, out.Version, out.Started = info.State, info.Live, info.Version, info.Started
	case !errors.Is(err, rpc.ErrNoHost):
	case unix.Kill(h.PID, 0) == nil: // it has yet to make its socket
		out.State = "starting"
	default:
		out.State = "gone"
	}
	return out
}
