package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/statedir"
)

// dial connects to the host of a project, until leave is called. The error wraps rpc.ErrNoHost if there is none.
func (a *app) dial(ctx context.Context, project string) (s api.Service, leave func(), err error) {
	dir, err := statedir.Of(a.getenv, project)
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

// ensure is dial, and starts a host where there is none: in the background, and what its recipe declares is started
// by hand.
func (a *app) ensure(ctx context.Context, p place) (s api.Service, leave func(), err error) {
	s, leave, err = a.dial(ctx, p.project)
	if !errors.Is(err, rpc.ErrNoHost) {
		return s, leave, err
	}
	s, leave, _, _, err = a.backgroundOr(ctx, p, upOptions{none: true})
	return s, leave, err
}

// hosted reports whether a project looks as if it had a host. It asks nobody.
func (a *app) hosted(project string) bool {
	dir, err := statedir.Of(a.getenv, project)
	if err != nil {
		return false
	}
	_, ok := dir.Holder()
	return ok
}
