package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prochost/prochost/cmd/prochost/console"
	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/prochost/prochost/host/statedir"
	"github.com/prochost/prochost/luaapi"
	"github.com/spf13/cobra"
)

// upDetached runs the host in the background. With a host that runs already it applies the recipe and starts what is
// named, as up does.
func (a *app) upDetached(ctx context.Context, p place, opt upOptions) error {
	// A recipe that is broken is shown here and now: the host would only write it to a file.
	program, _, err := luaapi.Load(ctx, luaapi.Options{
		Path: p.recipe, Env: host.Environ(a.environ), Shell: shell(), Version: build().Version, Print: a.print,
	})
	if err != nil {
		return a.upEnded(p, exitFailed, err)
	}
	program.Close()
	s, leave, pid, began, err := a.backgroundOr(ctx, p, opt)
	if err != nil {
		return err
	}
	defer leave()
	if began {
		fmt.Fprintf(a.stdout, "the host of %s runs in the background, process %d; \"prochost down\" ends it\n", p.project, pid)
		return nil
	}
	if err := a.bring(ctx, s, p, opt.names); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "the host of %s runs already, process %d; the recipe is applied\n", p.project, pid)
	return nil
}

// backgroundOr starts a host in the background, or comes to the one that the project has.
func (a *app) backgroundOr(ctx context.Context, p place, opt upOptions) (s api.Service, leave func(), pid int, began bool, err error) {
	err = insist(ctx, func() error {
		if pid, began, err = a.background(ctx, p, opt); err != nil {
			return err
		}
		s, leave, err = a.reach.dial(ctx, p.project)
		return err
	})
	return s, leave, pid, began, err
}

// insist does something again, for a while, if the host of a project was there and could not be reached: it is on its
// way up, or has been killed and is not quite gone.
func insist(ctx context.Context, do func() error) error {
	const patience, pause = 3 * time.Second, 10 * time.Millisecond
	for deadline := time.Now().Add(patience); ; {
		err := do()
		if !errors.Is(err, rpc.ErrNoHost) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// word is what a host in the background says to whoever started it, once.
type word struct {
	PID  int    `json:"pid"`  // of the host that runs
	Held bool   `json:"held"` // it is another one, that was there before
	Err  string `json:"err,omitempty"`
	Code int    `json:"code,omitempty"`
}

// background starts a host that outlives this process and its terminal, and returns when it answers. began is false if
// the project has one already.
func (a *app) background(ctx context.Context, p place, opt upOptions) (pid int, began bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, false, fmt.Errorf("start the host: %w", err)
	}
	dir, err := statedir.Of(a.getenv, p.project)
	if err == nil {
		err = statedir.Own(dir.State)
	}
	if err != nil {
		return 0, false, err
	}
	logPath := filepath.Join(dir.State, "host.log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, false, fmt.Errorf("start the host: %w", err)
	}
	defer log.Close()
	said, says, err := os.Pipe()
	if err != nil {
		return 0, false, fmt.Errorf("start the host: %w", err)
	}
	defer said.Close()
	args := []string{hostVerb, "--project", p.project}
	if p.recipe != "" {
		args = append(args, "--file", p.recipe)
	}
	for flag, on := range map[string]bool{"--only": opt.only, "--no-watch": opt.noWatch, "--none": opt.none} {
		if on {
			args = append(args, flag)
		}
	}
	cmd := exec.Command(self, append(append(args, "--"), opt.names...)...)
	cmd.Dir, cmd.Env = p.project, a.environ
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = log, log, []*os.File{says}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	says.Close()
	if err != nil {
		return 0, false, fmt.Errorf("start the host: %w", err)
	}
	w, err := hear(ctx, said)
	switch {
	case err != nil:
		_ = cmd.Process.Kill() // nobody knows of it
		_ = cmd.Wait()
		return 0, false, fmt.Errorf("start the host: %w; what it had to say is in %s", err, logPath)
	case w.Err != "":
		_ = cmd.Wait()
		return 0, false, &failure{code: w.Code, err: errors.New(w.Err)}
	case w.Held:
		_ = cmd.Wait()
	}
	return w.PID, !w.Held, nil
}

// hear waits for what a host has to say.
func hear(ctx context.Context, from *os.File) (w word, err error) {
	got := make(chan error, 1)
	go func() {
		err := json.NewDecoder(from).Decode(&w)
		if errors.Is(err, io.EOF) {
			err = errors.New("it ended before it answered")
		}
		got <- err
	}()
	select {
	case err = <-got:
	case <-ctx.Done():
		from.Close()
		<-got
		err = ctx.Err()
	}
	return w, err
}

// hostVerb is what a host in the background is called with; it is no verb for people.
const hostVerb = "host-in-background"

func hostCommand(a *app) *cobra.Command {
	opt := upOptions{stay: true}
	cmd := &cobra.Command{
		Use: hostVerb, Hidden: true,
		Short: "Be the host of a project in the background",
		RunE: func(_ *cobra.Command, names []string) error {
			opt.names = names
			return a.beHost(place{recipe: opt.file, project: a.project}, opt)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.file, "file", "", "the recipe is `FILE`; without it there is none")
	f.BoolVar(&opt.only, "only", false, "start just what is named")
	f.BoolVar(&opt.noWatch, "no-watch", false, "do not apply the recipe again when it is saved")
	f.BoolVar(&opt.none, "none", false, "start nothing by itself")
	return cmd
}

// beHost is a host until somebody ends it. Whoever started it hears on descriptor 3 that it answers, or why not; what
// goes wrong later goes to its log.
func (a *app) beHost(p place, opt upOptions) error {
	says := os.NewFile(3, "pipe to whoever started it")
	if says == nil {
		return errors.New("this is for prochost itself: see prochost up --detach")
	}
	syscall.CloseOnExec(3)
	say := func(w word) {
		_ = json.NewEncoder(says).Encode(w) // nobody may be left to hear it
		says.Close()
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	log := console.New(console.Options{Timestamps: true, Terse: true})
	g, err := a.hostIn(p, opt, func(text string) { fmt.Fprintln(a.stdout, text) })
	if held := (*statedir.HeldError)(nil); errors.As(err, &held) && held.Host.PID != 0 {
		say(word{PID: held.Host.PID, Held: true})
		return nil
	}
	if err == nil && g.unmade != nil {
		err = errors.Join(g.unmade, g.close()) // nobody could ever reach it
	}
	if err != nil {
		say(word{Err: err.Error(), Code: codeOf(err)})
		return &failure{code: codeOf(err)}
	}
	rules := interrupts{ignoreHUP: true}
	go func() {
		for sig := range signals {
			switch rules.signal(sig.(syscall.Signal), time.Now()) {
			case stopAll:
				g.host.Shutdown(false)
			case killAll:
				g.host.Shutdown(true)
			case leaveNow:
				os.Exit(signalCode(sig.(syscall.Signal)))
			}
		}
	}()
	feed := g.host.Subscribe(host.FeedOptions{})
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		for {
			e, err := feed.Next(context.Background())
			if err != nil {
				return
			}
			if s, ok := e.(*api.HostState); ok && s.State == "ready" && says != nil {
				say(word{PID: os.Getpid()})
				says = nil
			}
			log.Event(e, time.Now())
			_ = log.Flush(a.stdout) // a full disk loses the diary of a host, and nothing else
		}
	}()
	_, err = g.host.Run(context.Background())
	<-shown
	if err != nil && says != nil {
		say(word{Err: err.Error(), Code: codeOf(err)})
	}
	if closed := g.close(); err == nil {
		err = closed
	}
	return err
}
