package main

import (
	"context"
	"errors"
	"io"

	"github.com/prochost/prochost/host/api"
)

// pump hands the events of a feed to show, in order, and calls rest whenever there is none at the moment. It returns
// nil when the feed ends, else what went wrong: with the feed, in show, or in rest.
func pump(ctx context.Context, f feed, show func(api.Event) error, rest func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := make(chan api.Event, readAhead)
	var broken error // of the feed; read after events is closed
	go func() {
		defer close(events)
		for {
			e, err := f.Next(ctx)
			if err != nil {
				broken = err
				return
			}
			select {
			case events <- e:
			case <-ctx.Done():
				broken = ctx.Err()
				return
			}
		}
	}()
	for e := range events {
		if err := show(e); err != nil {
			return err
		}
		if len(events) == 0 {
			if err := rest(); err != nil {
				return err
			}
		}
	}
	if errors.Is(broken, io.EOF) {
		return nil
	}
	return broken
}

// whileRead is a context that ends when nobody reads stdout any more. What ended for that is errReaderGone.
func (a *app) whileRead(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	watchReader(a.stdout, func() { cancel(errReaderGone) })
	return ctx, func() { cancel(nil) }
}

// unread returns errReaderGone in place of an error that came of it.
func unread(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errReaderGone) {
		return errReaderGone
	}
	return err
}
