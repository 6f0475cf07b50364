package host

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
)

// service is the host as its clients see it. What concerns decisions is done by the loop; what only waits, reads logs
// or writes to a process is done on the goroutine of who asks.
type service struct{ *Host }

// Service returns the operations of the host. They are answered while Run runs.
func (h *Host) Service() api.Service { return service{h} }

func (s service) HostInfo(ctx context.Context, _ api.HostInfoIn) (api.HostInfo, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.HostInfo, error) { return l.hostInfo(), nil })
}

func (l *loop) hostInfo() api.HostInfo {
	h := l.h
	state := "ready"
	switch {
	case l.stack.Closing():
		state = "stopping"
	case l.generation == 0 && h.opt.Recipe != "":
		state = "starting"
	}
	return api.HostInfo{
		Version: h.opt.Version, Protocol: api.Protocol, PID: os.Getpid(),
		Project: h.opt.Project, Recipe: h.opt.Recipe, Started: api.Millis(h.started),
		State: state, Live: len(l.live), Seq: h.hub.last(), LogDir: h.opt.LogDir,
	}
}

// HostShutdown answers when nothing runs any more; the host itself ends a moment later.
func (s service) HostShutdown(ctx context.Context, in api.HostShutdownIn) (api.HostShutdownOut, error) {
	type begun struct {
		w    *waiter
		live int
	}
	b, err := ask(ctx, s.Host, func(l *loop, now time.Time) (begun, error) {
		n := len(l.live)
		l.shutdown(shutdown{proc.ByShutdown, in.Force}, now)
		return begun{l.await(func(l *loop) bool { return len(l.live) == 0 }), n}, nil
	})
	if err != nil {
		return api.HostShutdownOut{}, err
	}
	if err := s.until(ctx, b.w); err != nil && err != errOver {
		return api.HostShutdownOut{}, err
	}
	return api.HostShutdownOut{Stopped: b.live}, nil
}

func (s service) RecipeStatus(ctx context.Context, _ api.Nothing) (api.RecipeStatus, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.RecipeStatus, error) { return l.recipeStatus(), nil })
}

func (l *loop) recipeStatus() api.RecipeStatus {
	out := api.RecipeStatus{
		Path: l.h.opt.Recipe, Generation: l.generation, Processes: []string{}, Errors: []api.RecipeError{},
		Depends: make(map[string]map[string]string),
	}
	if !l.loadedAt.IsZero() {
		out.Loaded = api.Millis(l.loadedAt)
	}
	for _, slot := range l.stack.Slots() {
		out.Processes = append(out.Processes, slot.Process.Name)
		for _, d := range slot.Process.Depends {
			needs := out.Depends[slot.Process.Name]
			if needs == nil {
				needs = make(map[string]string)
				out.Depends[slot.Process.Name] = needs
			}
			needs[d.Name] = d.Condition.String()
		}
	}
	if l.standing != nil {
		out.Errors = RecipeErrors(l.h.opt.Recipe, l.standing)
	}
	return out
}

// RecipeReload loads the recipe now, and not when its files come to rest.
func (s service) RecipeReload(ctx context.Context, in api.RecipeReloadIn) (api.RecipeLoaded, error) {
	if s.opt.Recipe == "" {
		return api.RecipeLoaded{}, api.Refuse(api.ReasonNotFound, "this host runs no recipe: write a prochost.lua and start it anew")
	}
	type answer struct {
		outcome api.RecipeLoaded
		err     error
	}
	got := make(chan answer, 1)
	ask := func(ctx context.Context, r *recipes) {
		outcome, err := r.reload(ctx, in)
		got <- answer{outcome, err}
	}
	select {
	case s.reloads <- ask:
	case <-s.over:
		return api.RecipeLoaded{}, errOver
	case <-ctx.Done():
		return api.RecipeLoaded{}, ctx.Err()
	}
	select {
	case a := <-got:
		return a.outcome, a.err
	case <-s.over:
		return api.RecipeLoaded{}, errOver
	case <-ctx.Done():
		return api.RecipeLoaded{}, ctx.Err()
	}
}

// reload loads the recipe for somebody who asks; a dry run applies nothing, and tells nobody else what is wrong.
func (r *recipes) reload(ctx context.Context, in api.RecipeReloadIn) (api.RecipeLoaded, error) {
	p, err := r.read(ctx, in.AllowEmpty)
	switch {
	case err != nil:
		if !in.DryRun {
			r.tell(err)
		}
		e := api.Refuse(api.ReasonRecipe, "the recipe cannot be loaded, and the last good one stays in force")
		e.Recipe = RecipeErrors(r.h.opt.Recipe, err)
		return api.RecipeLoaded{}, e
	case in.DryRun:
		defer p.Close()
		return ask(ctx, r.h, func(l *loop, _ time.Time) (api.RecipeLoaded, error) {
			outcome := l.planned(recipe.Diff(l.recipe(), p.Recipe()))
			outcome.Head().Type = "recipe"
			return outcome, nil
		})
	}
	outcome, ok := r.apply(ctx, p)
	if !ok {
		return outcome, errOver
	}
	outcome.Head().Type = "recipe"
	return outcome, nil
}

// recipe is the one in force.
func (l *loop) recipe() recipe.Recipe {
	if l.program == nil {
		return recipe.Recipe{}
	}
	return l.program.Recipe()
}

// inProject returns path as one of the project's: relative paths begin at its folder.
func (h *Host) inProject(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(h.opt.Project, path)
}
