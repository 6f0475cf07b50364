package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/statedir"
)

// attachment is a host that another process has.
type attachment struct {
	api.Service
	leave func()
}

// reachForAttach comes to the host that holds a project.
func (a *app) reachForAttach(p place, held *statedir.HeldError) (*attachment, error) {
	s, leave, err := a.reach.dial(context.Background(), p.project)
	if err != nil {
		return nil, fmt.Errorf("%w, which cannot be reached: %w", held, err)
	}
	return &attachment{s, leave}, nil
}

// attach shows a host that runs already: it applies the recipe, starts what is named and goes on until the host ends
// or a signal comes, which leaves the host alone.
func (a *app) attach(p place, opt upOptions, f *foreground, s *attachment) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer s.leave()
	f.leave = cancel
	info, err := s.HostInfo(ctx, api.HostInfoIn{})
	if err != nil {
		return err
	}
	if info.Recipe != p.recipe {
		return fmt.Errorf("the host of %s, process %d, runs another recipe: %s; end it with \"prochost down\" first", p.project, info.PID, orNone(info.Recipe))
	}
	fmt.Fprintf(a.stderr, "prochost: a host runs already, process %d; Ctrl-C leaves it running\n", info.PID)
	events, err := s.Events(ctx, api.EventsIn{Output: !opt.noOutput})
	if err != nil {
		return err
	}
	defer events.Close()
	watchReader(a.stdout, cancel)
	go f.obey(func() {})
	failed := make(chan error, 1)
	go func() { failed <- a.bring(ctx, s, p, opt.names) }()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		f.screen.run(ctx, events)
	}()
	for {
		select {
		case err := <-failed:
			if err != nil && ctx.Err() == nil {
				return err
			}
			failed = nil
		case <-shown:
			return nil
		case <-ctx.Done():
			f.await(shown)
			return nil
		}
	}
}

// bring applies the recipe and starts what is named.
func (a *app) bring(ctx context.Context, s api.Service, p place, names []string) error {
	_, err := s.RecipeReload(ctx, api.RecipeReloadIn{})
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Reason == api.ReasonRecipe:
		return nil // the host tells it to whoever listens
	case err != nil:
		return err
	}
	for _, name := range names {
		if _, err := s.Start(ctx, api.StartIn{Name: name}); err != nil {
			return err
		}
	}
	return nil
}

func orNone(recipe string) string {
	if recipe == "" {
		return "none"
	}
	return recipe
}
