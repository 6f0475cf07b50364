package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/cmd/prochost/rundir"
	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/host/statedir"
)

// hosting is a host in this process: with the lock that makes it the only one of its project, the folder of its logs,
// and the socket on which it answers.
type hosting struct {
	host   *host.Host
	lock   *statedir.Lock
	run    *rundir.Run
	server *rpc.Server
	socket *rpc.Listener // nil: it could not be made
	unmade error         // why
}

// hostIn makes the host of a project. The error is a *statedir.HeldError if it has one.
func (a *app) hostIn(p place, opt upOptions, print func(string)) (*hosting, error) {
	dir, err := statedir.Of(a.getenv, p.project)
	if err != nil {
		return nil, err
	}
	lock, err := dir.Lock(statedir.Holder{Socket: dir.Socket, Version: build().Version, Started: time.Now().UnixMilli()})
	if err != nil {
		return nil, err
	}
	g := &hosting{lock: lock}
	if g.run, err = rundir.Open(dir.State, time.Now()); err != nil {
		g.close()
		return nil, err
	}
	g.host, err = host.New(host.Options{
		Recipe: p.recipe, Project: p.project, Env: host.Environ(a.environ), Shell: shell(), LogDir: g.run.Dir,
		JournalDir: filepath.Join(dir.State, "journal"),
		Selection:  stack.Selection{Names: opt.names, Only: opt.only, None: opt.none}, ExitOn: exitOn(opt.exitOn),
		Stay: opt.stay, NoWatch: opt.noWatch, Version: build().Version, Print: print, OwnsOrphans: true,
	})
	if err != nil {
		g.close()
		return nil, err
	}
	g.server = rpc.NewServer(g.host.Service(), func(m string) { g.host.Trouble("socket", m) })
	if g.socket, g.unmade = rpc.Listen(dir.Socket); g.unmade == nil {
		go g.server.Serve(g.socket)
	}
	return g, nil
}

// lastWords is how long clients have to be told the rest when the host has ended.
const lastWords = time.Second

// close lets go of everything; it is called when the host has ended.
func (g *hosting) close() error {
	if g.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), lastWords)
		_ = g.server.Shutdown(ctx) // who does not read in time is cut off
		cancel()
	}
	var errs []error
	if g.run != nil {
		errs = append(errs, g.run.Close())
	}
	errs = append(errs, g.lock.Release())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("end the host: %w", err)
	}
	return nil
}
