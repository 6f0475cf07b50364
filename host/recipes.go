package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/filewatch"
	"github.com/prochost/prochost/luaapi"
)

// standFor is how long a broken text must have stood before it is told: shorter, it is a save in progress.
const standFor = 300 * time.Millisecond

// recipes loads the recipe whenever its files have changed and come to rest, off to the side of what is in force.
// A good load goes to the loop; a broken one is told once it has stood for a while. It owns the watch.
type recipes struct {
	h     *Host
	watch *filewatch.Watcher

	// owned by run
	files    []luaapi.File // that took part in the last load
	declared int           // processes of the load in force
	goodAt   time.Time
}

// reloading is a load that somebody asks for; it is done on the goroutine of the recipes.
type reloading func(ctx context.Context, r *recipes)

// first loads the recipe for the first time. The error says that the host is not to run.
func (r *recipes) first(ctx context.Context) error {
	if r.h.opt.Recipe == "" {
		r.h.inbox.put(call{func(l *loop, _ time.Time) { l.tell(api.NewHostState("ready", nil), "") }, make(chan struct{})})
		return nil
	}
	p, files, err := luaapi.Load(ctx, r.h.loadOptions())
	r.track(files)
	if err == nil {
		err = r.h.check(p)
	}
	switch {
	case err == nil:
		r.declared, r.goodAt = len(p.Recipe().Processes), time.Now()
		r.h.inbox.put(loaded{program: p, applied: make(chan api.RecipeLoaded, 1)})
	case r.h.opt.Stay && !errors.Is(err, ErrUnknownName):
		r.h.inbox.put(broken{err})
	default:
		return err
	}
	return nil
}

// run reloads until ctx is done.
func (r *recipes) run(ctx context.Context) {
	var changes <-chan struct{}
	if r.watch != nil {
		changes = r.watch.Changes()
	}
	reload(ctx, changes, r.h.reloads, r)
}

// changed reports whether what the last load read is different by now. The watch does not know which names in a
// directory matter.
func (r *recipes) changed() bool {
	return slices.ContainsFunc(r.files, func(f luaapi.File) bool { return f.Current() != f })
}

// reloader is what reload drives.
type reloader interface {
	changed() bool                  // whether a load would read something else than the last one
	load(ctx context.Context) error // and apply what is good
	tell(err error)                 // that the recipe is broken
	carryOut(ctx context.Context, ask reloading)
}

// reload loads after every change that matters, and when somebody asks. What fails is told when it has stood for
// standFor without another change.
func reload(ctx context.Context, changes <-chan struct{}, asked <-chan reloading, r reloader) {
	var (
		stands   <-chan time.Time
		standing error
	)
	for {
		select {
		case <-ctx.Done():
			return
		case ask := <-asked:
			stands = nil // it reads what the change was about
			r.carryOut(ctx, ask)
		case <-changes:
			if !r.changed() {
				continue
			}
			stands = nil
			if standing = r.load(ctx); standing != nil {
				stands = time.After(standFor)
			}
		case <-stands:
			stands = nil
			r.tell(standing)
		}
	}
}

func (r *recipes) tell(err error) { r.h.inbox.put(broken{err}) }

func (r *recipes) carryOut(ctx context.Context, ask reloading) { ask(ctx, r) }

// load loads the recipe and has the loop apply it.
func (r *recipes) load(ctx context.Context) error {
	p, err := r.read(ctx, false)
	if err == nil {
		r.apply(ctx, p)
	}
	return err
}

// read loads the recipe and applies nothing. One that declares nothing where it declared something is an error, unless
// that is allowed.
func (r *recipes) read(ctx context.Context, allowEmpty bool) (*luaapi.Program, error) {
	p, files, err := luaapi.Load(ctx, r.h.loadOptions())
	r.track(files)
	if err != nil {
		return nil, err
	}
	if n := len(p.Recipe().Processes); n == 0 && r.declared > 0 && !allowEmpty {
		p.Close()
		return nil, &emptyRecipe{declared: r.declared, since: r.goodAt}
	}
	return p, nil
}

// apply has the loop put p in force, and returns what that changed; ok is false if the host ends first.
func (r *recipes) apply(ctx context.Context, p *luaapi.Program) (outcome api.RecipeLoaded, ok bool) {
	r.declared, r.goodAt = len(p.Recipe().Processes), time.Now()
	applied := make(chan api.RecipeLoaded, 1)
	r.h.inbox.put(loaded{p, applied})
	select {
	case outcome = <-applied:
		return outcome, true
	case <-ctx.Done():
	case <-r.h.over:
	}
	return outcome, false
}

// track makes the watch look at what a load has read.
func (r *recipes) track(files []luaapi.File) {
	if r.watch == nil {
		return
	}
	r.files = files
	tracked := make([]filewatch.File, len(files))
	for i, f := range files {
		tracked[i] = filewatch.File{Path: f.Path, Hash: f.Hash, Missing: f.Missing}
		// The hash of a directory is of the names that matter, which the watch does not know: it begins with the
		// directory as it is, or, if what matters has changed since the load, with none, which is a change.
		if f.Pattern != "" {
			if tracked[i] = filewatch.Fingerprint(f.Path); f.Current() != f {
				tracked[i] = filewatch.File{Path: f.Path, Missing: !tracked[i].Missing}
			}
		}
	}
	r.watch.Track(tracked)
}

// emptyRecipe is reported for a recipe that declares nothing where it declared something before: an editor
// truncates a file before it writes it.
type emptyRecipe struct {
	declared int
	since    time.Time
}

func (e *emptyRecipe) Error() string {
	return fmt.Sprintf("it declares no process, where it declared %d: keeping the recipe of %s; \"prochost reload --allow-empty\" applies it", e.declared, e.since.Format("15:04"))
}

// RecipeErrors puts what is wrong with a recipe, an error of luaapi.Load, into the form of the wire.
func RecipeErrors(recipe string, err error) []api.RecipeError {
	var list *luaapi.Errors
	if !errors.As(err, &list) {
		return []api.RecipeError{{File: filepath.Base(recipe), Message: err.Error()}}
	}
	out := make([]api.RecipeError, len(list.List))
	for i, e := range list.List {
		out[i] = api.RecipeError(e)
	}
	return out
}
