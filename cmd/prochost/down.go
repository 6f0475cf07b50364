package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/statedir"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func downCommand(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Stop everything, and the host",
		Long: `Stops every process in the reverse order of their dependencies, and then the host
of the project. It returns when all is over, and shows meanwhile what it waits for.`,
		Example: `  prochost down
  prochost down --force         kill at once`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.here()
			if err != nil {
				return err
			}
			return a.down(cmd.Context(), p, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "kill everything at once")
	return cmd
}

// down ends the host of a project.
func (a *app) down(ctx context.Context, p place, force bool) error {
	s, leave, err := a.reach.dial(ctx, p.project)
	if err != nil {
		return unreached(p, err)
	}
	defer leave()
	info, err := s.HostInfo(ctx, api.HostInfoIn{})
	if err != nil {
		return err
	}
	watching, unwatch := context.WithCancel(ctx)
	defer unwatch()
	if events, err := s.Events(watching, api.EventsIn{Types: []string{"host"}}); err == nil {
		go a.showBlocking(watching, events)
	}
	out, err := s.HostShutdown(ctx, api.HostShutdownIn{Force: force})
	if err != nil && !errors.Is(err, rpc.ErrLost) && api.ReasonOf(err) != api.ReasonClosing {
		return err
	}
	unwatch()
	if err := a.awaitGone(ctx, p, info.PID); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "the host of %s has ended; %s stopped\n", p.project, notify.Count(out.Stopped, "process"))
	return nil
}

// stillBlocking is how long a shutdown takes before it is shown what it waits for, and again after that.
const stillBlocking = 2 * time.Second

// showBlocking shows what a shutdown waits for, while that lasts.
func (a *app) showBlocking(ctx context.Context, events api.Stream) {
	defer events.Close()
	states := make(chan []string)
	go func() {
		defer close(states)
		for {
			e, err := events.Next(ctx)
			if err != nil {
				return
			}
			if h, ok := e.(*api.HostState); ok && h.State == "stopping" {
				select {
				case states <- h.Blocking:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	var blocking []string
	began := time.Now()
	tick := time.NewTicker(stillBlocking)
	defer tick.Stop()
	for {
		select {
		case names, ok := <-states:
			if !ok {
				return
			}
			blocking = names
		case now := <-tick.C:
			if len(blocking) > 0 {
				fmt.Fprintf(a.stderr, "waiting for %s, for %s\n", strings.Join(blocking, ", "), notify.Duration(now.Sub(began)))
			}
		}
	}
}

// awaitGone waits until the host, whose processes have ended, has ended too.
func (a *app) awaitGone(ctx context.Context, p place, pid int) error {
	dir, err := statedir.Of(a.getenv, p.project)
	if err != nil {
		return err
	}
	const patience, glance = 10 * time.Second, 5 * time.Millisecond
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if h, ok := dir.Holder(); !ok || h.PID != pid {
			awaitExit(pid)
			return nil
		}
		select {
		case <-time.After(glance):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fmt.Errorf("everything has stopped, and the host, process %d, does not end", pid)
}

// awaitExit waits until a process that is about to exit has exited: for a moment, as one whose parent does not care for
// it stays a zombie.
func awaitExit(pid int) {
	const moment, glance = 500 * time.Millisecond, 2 * time.Millisecond
	for deadline := time.Now().Add(moment); time.Now().Before(deadline) && unix.Kill(pid, 0) == nil; {
		time.Sleep(glance)
	}
}
