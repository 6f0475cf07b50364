package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/statedir"
	"github.com/prochost/prochost/luaapi"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// patience is how long an outlet that is stuck may hold up the end that a signal asked for.
const patience = 2 * time.Second

// up runs a host in the foreground.
//
//	signals ──▶ Shutdown ──▶ host ──▶ feed ──▶ screen ──▶ stdout
//	                ▲                            │
//	                └─────── nobody reads ───────┘
func (a *app) up(p place, opt upOptions) error {
	f := a.newForeground(opt)
	var g *hosting
	var there *attachment
	err := insist(context.Background(), func() (err error) {
		g, err = a.hostIn(p, opt, f.screen.print)
		if held := (*statedir.HeldError)(nil); errors.As(err, &held) {
			there, err = a.reachForAttach(p, held)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case there != nil:
		return a.attach(p, opt, f, there)
	}
	f.host = g.host
	watchReader(a.stdout, f.stop)
	warn := func(err error) {
		f.screen.note(func(c *console.Console, now time.Time) { c.Warn(err.Error(), now) })
	}
	if g.unmade != nil {
		warn(fmt.Errorf("nobody can attach to this host: %w", g.unmade))
	}
	go func() {
		if err := g.run.Prune(); err != nil {
			warn(err)
		}
	}()
	code, err := f.run(opt)
	if closed := g.close(); closed != nil {
		fmt.Fprintf(a.stderr, "prochost: %v\n", closed)
	}
	return a.upEnded(p, code, err)
}

// newForeground catches the signals and makes the screen of a run that has yet to begin.
func (a *app) newForeground(opt upOptions) *foreground {
	f := &foreground{signals: make(chan os.Signal, 16)}
	f.rules = interrupts{ignoreHUP: signal.Ignored(syscall.SIGHUP), terminal: term.IsTerminal(int(os.Stdin.Fd()))}
	// Asked for, also where one is to be ignored: a signal that is ignored here would be ignored in every child.
	signal.Notify(f.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	f.screen = a.screen(opt, f.stop)
	return f
}

// screen returns what shows the host: to people on stdout, or to programs there and to people on stderr.
func (a *app) screen(opt upOptions, gone func()) *screen {
	stdout := &outlet{w: a.stdout, lost: func(err error) {
		if errors.Is(err, syscall.EPIPE) {
			gone()
			return
		}
		fmt.Fprintf(a.stderr, "prochost: %v; the processes go on, unseen\n", err)
	}}
	if !opt.json {
		view := a.people(a.stdout, opt.color)
		view.Timestamps = opt.timestamps
		return newScreen(console.New(view), stdout, nil)
	}
	stderr := &outlet{w: a.stderr, lost: func(error) {}}
	view := a.people(a.stderr, opt.color)
	view.Terse, view.Timestamps = true, opt.timestamps
	return newScreen(console.New(view), stderr, stdout)
}

// foreground is a host that the terminal's signals control.
type foreground struct {
	host    *host.Host // nil: it is shown, and another process has it
	leave   func()     // of a host that another process has
	screen  *screen
	signals chan os.Signal
	rules   interrupts // owned by obey

	once        sync.Once
	interrupted atomic.Bool
	killedBy    atomic.Int32 // the signal that asked for the kill; 0: none did
}

// run runs the host and shows it, and returns when both are over.
func (f *foreground) run(opt upOptions) (code int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	feed := f.host.Subscribe(host.FeedOptions{Output: !opt.noOutput})
	watching, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		f.screen.run(watching, feed)
	}()
	go f.obey(cancel)

	code, err = f.host.Run(ctx)
	if err != nil {
		unwatch() // the host has told nothing, not even its end
	}
	if f.await(shown) {
		feed.Close()
	}
	switch killer := syscall.Signal(f.killedBy.Load()); {
	case killer != 0:
		return signalCode(killer), nil
	case err != nil && f.interrupted.Load():
		return exitFine, nil // interrupted while it loaded: nothing ran
	}
	return code, err
}

// stop asks for an orderly end, once.
func (f *foreground) stop() {
	f.once.Do(func() {
		if f.host == nil {
			f.leave()
		} else {
			f.host.Shutdown(false)
		}
	})
}

// obey does what the signals ask for, as long as the program lasts. cancel ends a load.
func (f *foreground) obey(cancel func()) {
	for sig := range f.signals {
		s := sig.(syscall.Signal)
		if f.host == nil {
			f.interrupted.Store(true)
			f.leave()
			continue
		}
		switch f.rules.signal(s, time.Now()) {
		case stopAll:
			f.say(s, false)
			f.interrupted.Store(true)
			f.stop()
			cancel()
		case killAll:
			f.say(s, true)
			f.interrupted.Store(true)
			f.killedBy.Store(int32(s))
			f.host.Shutdown(true)
			cancel()
		case leaveNow:
			os.Exit(signalCode(s))
		}
	}
}

func (f *foreground) say(s syscall.Signal, kill bool) {
	f.screen.note(func(c *console.Console, now time.Time) { c.Interrupt(unix.SignalName(s), kill, now) })
}

// await waits until everything has been shown, and reports whether it has. Who asked for the end by a signal does not
// wait for an outlet that is stuck; a reader that is only slow, as a pager is, is waited for.
func (f *foreground) await(shown <-chan struct{}) bool {
	tick := time.NewTicker(patience)
	defer tick.Stop()
	written := int64(-1)
	for {
		select {
		case <-shown:
			return true
		case <-tick.C:
		}
		n := f.screen.written()
		if f.interrupted.Load() && n == written {
			return false
		}
		written = n
	}
}

// upEnded says how a run ended that could not begin, and returns what the program ends with.
func (a *app) upEnded(p place, code int, err error) error {
	var broken *luaapi.Errors
	switch {
	case errors.As(err, &broken):
		a.showErrors(p.recipe, err)
		return &failure{code: exitFailed}
	case err != nil:
		return err
	case code != exitFine:
		return &failure{code: code}
	}
	return nil
}
