package main

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
)

// attached is a command that runs under a host as if it ran here. Its end is told here, and the host tells it nobody
// else: the claim on it lasts as long as the connection.
//
//	stdin ───▶ process.write ──▶ host ──▶ logs.subscribe ──▶ stdout, stderr
//	signals ─▶ process.stop  ──▶      ──▶ process.wait ────▶ exit code
type attached struct {
	*app
	in      api.StartIn
	color   string
	signals chan os.Signal
	rules   interrupts // owned by obey
}

// run returns when the command has ended and all that it wrote is shown. The error carries its exit code.
func (r *attached) run(ctx context.Context, s api.Service) error {
	p, err := s.Start(ctx, r.in)
	if err != nil {
		return err
	}
	if p.ErrorMessage != nil {
		r.say("prochost: %s", view.State(p))
		return &failure{code: p.ShellCode()}
	}
	over := make(chan struct{})
	defer close(over)
	this := target{ref: p.ID, name: p.Name}
	slow := r.watchSlow([]target{this})
	defer slow.close()
	stop := func(force bool) {
		slow.begin(this)
		defer slow.end(this)
		if _, err := s.Stop(ctx, api.StopIn{ID: p.ID, Force: force}); err != nil && api.ReasonOf(err) != api.ReasonEnded {
			r.say("prochost: stop %q: %v", p.Name, err)
		}
	}
	go r.obey(over, stop)
	if r.in.Stdin != "null" {
		go r.feed(ctx, s, p.ID)
	}
	stream, err := s.Logs(ctx, api.LogsIn{IDs: []string{p.ID}, Follow: true})
	if err != nil {
		return err
	}
	defer stream.Close()
	err = r.show(ctx, stream)
	if errors.Is(err, errReaderGone) { // as a pipe would end it
		stop(false)
		err = nil
	}
	if err != nil {
		return err
	}
	out, err := s.Wait(ctx, api.WaitIn{ID: p.ID})
	if err != nil {
		return err
	}
	if code := out.Info.ShellCode(); code != exitFine {
		return &failure{code: code}
	}
	return nil
}

// obey does what signals ask for.
func (r *attached) obey(over <-chan struct{}, stop func(force bool)) {
	for {
		select {
		case <-over:
			return
		case sig := <-r.signals:
			s := sig.(syscall.Signal)
			switch r.rules.signal(s, time.Now()) {
			case stopAll:
				go stop(false)
			case killAll:
				go stop(true)
			case leaveNow:
				os.Exit(signalCode(s))
			}
		}
	}
}

// feed passes on what is read here. The command may end, or close its input, before all of it was taken.
func (r *attached) feed(ctx context.Context, s api.Service, id string) {
	buf := make([]byte, chunk)
	for {
		n, err := r.stdin.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
			out, err := s.Write(ctx, api.WriteIn{ID: id, Data: rest})
			if err != nil {
				return
			}
			rest = rest[out.Written:] // what a slow reader has not taken is offered again
		}
		if err != nil {
			_, _ = s.Write(ctx, api.WriteIn{ID: id, End: true})
			return
		}
	}
}

// show writes the lines of each stream to the stream of the same name.
func (r *attached) show(ctx context.Context, stream api.Stream) error {
	outs := map[string]*bare{
		"stdout": newBare(r.app, r.stdout, r.color),
		"stderr": newBare(r.app, r.stderr, r.color),
	}
	last := outs["stdout"]
	// Lines that wait are those of one stream: where both are one terminal, they are in order there.
	turnTo := func(b *bare) error {
		if b == last {
			return nil
		}
		err := last.flush()
		last = b
		return err
	}
	return pump(ctx, stream, func(e api.Event) error {
		switch e := e.(type) {
		case *api.Output:
			out := outs[e.Stream]
			if err := turnTo(out); err != nil {
				return err
			}
			return out.show(e)
		case *api.Lagged:
			if err := last.flush(); err != nil {
				return err
			}
			r.say("prochost: %d lines are missing here: they came faster than they could be shown", e.Missed)
		}
		return nil
	}, func() error { return last.flush() })
}

// bare shows lines of output without a name.
type bare struct {
	c *console.Console
	w io.Writer
}

func newBare(a *app, f *os.File, color string) *bare {
	opt := a.people(f, color)
	opt.Bare = true
	return &bare{console.New(opt), f}
}

func (b *bare) show(e *api.Output) error {
	if b.c.Event(e, time.Now()); b.c.Len() > enough {
		return b.flush()
	}
	return nil
}

func (b *bare) flush() error { return written(b.c.Flush(b.w)) }
