package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
)

// reach is how verbs come to hosts. A project is a folder, absolute and without links.
type reach interface {
	// dial connects to the host of a project, until leave is called. The error wraps rpc.ErrNoHost if there is none.
	dial(ctx context.Context, project string) (s api.Service, leave func(), err error)
	// ensure is dial, and starts a host where there is none: in the background, and what its recipe declares is started
	// by hand.
	ensure(ctx context.Context, p place) (s api.Service, leave func(), err error)
	// hosted reports whether a project looks as if it had a host. It asks nobody.
	hosted(project string) bool
	// hosts lists the hosts of this user, and what is left of those that were killed.
	hosts(ctx context.Context) ([]view.Host, error)
}

// noHost says for which project there is no host, and what to do about it.
type noHost struct {
	place place
	err   error
}

func (n *noHost) Unwrap() error { return n.err }

func (n *noHost) Error() string {
	words := "no host runs for " + n.place.project
	if errors.Is(n.err, rpc.ErrStale) {
		words = fmt.Sprintf("the host of %s has been killed", n.place.project)
	}
	if n.place.recipe == "" {
		return fmt.Sprintf("%s, and there is no %s", words, recipeName)
	}
	return words + "; \"prochost up\" starts one"
}

// unreached words the error of a dial.
func unreached(p place, err error) error {
	if errors.Is(err, rpc.ErrNoHost) {
		return &noHost{p, err}
	}
	return err
}

// withHost calls do with the host of the project that the command line means.
func (a *app) withHost(ctx context.Context, do func(s api.Service) error) error {
	return a.at(func(p place) (api.Service, func(), error) { return a.reach.dial(ctx, p.project) }, do)
}

// ensureHost is withHost that starts a host if there is none.
func (a *app) ensureHost(ctx context.Context, do func(s api.Service) error) error {
	return a.at(func(p place) (api.Service, func(), error) { return a.reach.ensure(ctx, p) }, do)
}

func (a *app) at(come func(p place) (api.Service, func(), error), do func(s api.Service) error) error {
	p, err := a.here()
	if err != nil {
		return err
	}
	s, leave, err := come(p)
	if err != nil {
		return unreached(p, err)
	}
	defer leave()
	return do(s)
}
