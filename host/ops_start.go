package host

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// Start starts a command, or has the process of the recipe run that bears the name. It answers when that runs, has
// ended already, or could not be run, which is an end; what waits for a dependency is answered as it waits.
func (s service) Start(ctx context.Context, in api.StartIn) (api.Info, error) {
	if in.Command == "" && len(in.Argv) == 0 {
		return s.want(ctx, in)
	}
	i, err := s.undeclared(in)
	if err != nil {
		return api.Info{}, err
	}
	w, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*waiter, error) {
		switch {
		case l.stack.Closing():
			return nil, errStopping
		case i.session != project && l.sessions[i.session] == nil:
			return nil, noSession(i.session)
		}
		l.launch(i)
		return l.await(func(l *loop) bool { return i.info.PID != 0 || !i.live() }), nil
	})
	if err != nil {
		return api.Info{}, err
	}
	if i.spec.Delivery.Completion == proc.ClaimTool {
		s.releaseWhenGone(api.CallerOf(ctx).Gone, i.id)
	}
	if err := s.until(ctx, w); err != nil {
		return api.Info{}, err
	}
	return s.infoOf(ctx, i)
}

var errStopping = api.Refuse(api.ReasonClosing, "the host stops, and starts nothing more")

// releaseWhenGone lets go of the claim on an end when the connection of its holder breaks.
func (s service) releaseWhenGone(gone <-chan struct{}, id proc.ID) {
	if gone == nil {
		return
	}
	go func() {
		select {
		case <-gone:
			_ = s.manager.Release(id) // it has ended: then nobody is left to be told
		case <-s.over:
		}
	}()
}

func (s service) infoOf(ctx context.Context, i *instance) (api.Info, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.Info, error) { return l.current(i), nil })
}

// want has a process of the recipe run.
func (s service) want(ctx context.Context, in api.StartIn) (api.Info, error) {
	var name string
	w, err := ask(ctx, s.Host, func(l *loop, now time.Time) (*waiter, error) {
		if l.stack.Closing() {
			return nil, errStopping
		}
		slot, ok := l.stack.Slot(in.Name)
		if !ok {
			if in.Name == "" {
				return nil, api.Invalid("command", "say what to run: command, argv, or the name of a process of the recipe")
			}
			return nil, l.unknown(in.Name)
		}
		name = slot.Process.Name
		l.do(l.stack.Want(name, now))
		return l.await(func(l *loop) bool {
			slot, ok := l.stack.Slot(name)
			if !ok || slot.Phase != stack.Live {
				return true
			}
			i := l.live[slot.ID]
			return i != nil && i.info.PID != 0 && !slot.Replace
		}), nil
	})
	if err != nil {
		return api.Info{}, err
	}
	if err := s.until(ctx, w); err != nil {
		return api.Info{}, err
	}
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.Info, error) {
		slot, ok := l.stack.Slot(name)
		if !ok {
			return api.Info{}, api.Refuse(api.ReasonNotFound, "%q is no longer declared", name)
		}
		return l.slotInfo(slot), nil
	})
}

// undeclared makes of an input what is to be launched.
func (s service) undeclared(in api.StartIn) (*instance, error) {
	name := in.Name
	switch {
	case in.Command != "" && len(in.Argv) > 0:
		return nil, api.Invalid("argv", "command is given too: it is one or the other")
	case name == "":
		name = defaultName(in)
	}
	if err := luaapi.CheckName(name); err != nil {
		return nil, api.Invalid("name", "%v", err)
	}
	config, err := notifyConfig(in.Notify)
	if err != nil {
		return nil, err
	}
	env, err := s.environment(in)
	if err != nil {
		return nil, err
	}
	p := recipe.Process{
		Name: name, Notify: config,
		Run: recipe.Run{Command: in.Command, Argv: in.Argv, Shell: s.opt.Shell, Dir: s.inProject(in.Cwd), Env: env, PTY: in.PTY},
	}
	if len(in.Argv) > 0 {
		p.Run.Shell = nil
	}
	var completion proc.Completion
	for _, w := range []struct {
		field, word string
		known       []string
		set         func(n int)
	}{
		{"stdin", in.Stdin, []string{"pipe", "null"}, func(n int) { p.Run.Stdin = proc.Stdin(n) }},
		{"completionDelivery", in.CompletionDelivery, []string{"notify", "tool"}, func(n int) { completion = proc.Completion(n) }},
		{"turnDelivery", in.TurnDelivery, []string{"steer", "followUp"}, func(n int) { p.TurnDelivery = proc.Turn(n) }},
	} {
		n, err := choose(w.field, w.word, w.known)
		if err != nil {
			return nil, err
		}
		w.set(n)
	}
	spec := p.Spec()
	spec.Delivery.Completion = completion
	if spec.Source = in.Source; spec.Source == "" {
		spec.Source = "client"
	}
	return &instance{id: proc.NewID(), p: p, spec: spec, session: in.Session, keep: in.Keep}, nil
}

// choose returns the place of word among known; the first is the default.
func choose(field, word string, known []string) (int, error) {
	if word == "" {
		return 0, nil
	}
	if n := slices.Index(known, word); n >= 0 {
		return n, nil
	}
	return 0, api.Invalid(field, "got %q, want %s", word, `"`+strings.Join(known, `" or "`)+`"`)
}

// environment is the whole one of a command.
func (s service) environment(in api.StartIn) ([]string, error) {
	base := s.opt.Env
	if in.Environ != nil {
		base = Environ(in.Environ)
	}
	all := make(map[string]string, len(base)+len(in.Env))
	for _, e := range base {
		k, v, ok := strings.Cut(e, "=")
		if !ok || k == "" {
			return nil, api.Invalid("environ", "an entry is not KEY=value")
		}
		all[k] = v
	}
	for k, v := range in.Env {
		if k == "" || strings.ContainsAny(k, "=\x00") || strings.Contains(v, "\x00") {
			return nil, api.Invalid("env", "%q cannot be the name or the value of a variable", k)
		}
		all[k] = v
	}
	env := make([]string, 0, len(all))
	for k, v := range all {
		env = append(env, k+"="+v)
	}
	slices.Sort(env)
	return env, nil
}

// defaultName is the program's, as far as it can be one.
func defaultName(in api.StartIn) string {
	word := ""
	if len(in.Argv) > 0 {
		word = in.Argv[0]
	} else {
		for _, w := range strings.Fields(in.Command) {
			if !strings.Contains(w, "=") { // a variable before the command
				word = w
				break
			}
		}
	}
	name := filepath.Base(word)
	if luaapi.CheckName(name) != nil {
		return "command"
	}
	return name
}
