package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/stretchr/testify/require"
)

// patience bounds every wait of a test; nothing that works comes near it.
const patience = 60 * time.Second

// rig is a host under test with one feed, which keeps everything that it is told.
type rig struct {
	t      *testing.T
	h      *Host
	recipe string
	marker string // in the environment of every process of the rig
	cancel context.CancelFunc

	mu     sync.Mutex
	moved  *sync.Cond
	events []api.Event
	ended  bool
	code   int
	err    error
}

// newRig writes recipe into a folder of its own and starts a host for it.
func newRig(t *testing.T, recipe string, change ...func(*Options)) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{t: t, recipe: filepath.Join(dir, "prochost.lua"), marker: "PROCHOST_TEST=" + string(proc.NewID())}
	r.moved = sync.NewCond(&r.mu)
	r.save(recipe)
	opt := Options{
		Recipe: r.recipe, Env: append(os.Environ(), r.marker), Shell: []string{"/bin/sh", "-c"},
		LogDir: filepath.Join(dir, "logs"), Version: "0.0.0-test",
	}
	for _, f := range change {
		f(&opt)
	}
	h, err := New(opt)
	require.NoError(t, err)
	r.h = h
	feed := r.h.Subscribe(FeedOptions{Output: true})
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	var running sync.WaitGroup
	running.Go(func() {
		for {
			e, err := feed.Next(ctx)
			if err != nil {
				return
			}
			r.mu.Lock()
			r.events = append(r.events, e)
			r.moved.Broadcast()
			r.mu.Unlock()
		}
	})
	running.Go(func() {
		code, err := r.h.Run(ctx)
		r.mu.Lock()
		r.code, r.err, r.ended = code, err, true
		r.moved.Broadcast()
		r.mu.Unlock()
	})
	t.Cleanup(func() {
		if !r.over() {
			r.h.Shutdown(true)
		}
		running.Wait()
		cancel()
		r.noSurvivors()
	})
	return r
}

func stay(o *Options) { o.Stay = true }

// save replaces the recipe by rename, as most editors do.
func (r *rig) save(text string) {
	r.t.Helper()
	tmp := r.recipe + ".tmp"
	require.NoError(r.t, os.WriteFile(tmp, []byte(text), 0o600))
	require.NoError(r.t, os.Rename(tmp, r.recipe))
}

// saveInPlace truncates and writes the recipe, as other editors do.
func (r *rig) saveInPlace(text string) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(r.recipe, []byte(text), 0o600))
}

func (r *rig) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// wait waits until an event from index on meets the condition, and returns it with the index after it.
func (r *rig) wait(from int, what string, meets func(api.Event) bool) (api.Event, int) {
	r.t.Helper()
	return r.waitFor(patience, from, what, meets)
}

func (r *rig) waitFor(bound time.Duration, from int, what string, meets func(api.Event) bool) (api.Event, int) {
	r.t.Helper()
	timer := time.AfterFunc(bound, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.moved.Broadcast()
	})
	defer timer.Stop()
	deadline := time.Now().Add(bound)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := from; ; {
		for ; i < len(r.events); i++ {
			if meets(r.events[i]) {
				return r.events[i], i + 1
			}
		}
		if r.err != nil {
			r.t.Fatalf("the host did not run: %v", r.err)
		}
		if !time.Now().Before(deadline) {
			r.t.Fatalf("waited in vain for %s; events:\n%s", what, tellAll(r.events))
		}
		r.moved.Wait()
	}
}

// finish waits until the host has ended and returns everything that was told.
func (r *rig) finish() []api.Event {
	r.t.Helper()
	_, _ = r.wait(0, "the host to stop", func(e api.Event) bool {
		s, ok := e.(*api.HostState)
		return ok && s.State == "stopped"
	})
	timer := time.AfterFunc(patience, func() { panic("the host does not return") })
	defer timer.Stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.ended {
		r.moved.Wait()
	}
	require.NoError(r.t, r.err)
	return r.events
}

// noSurvivors holds that no process of the rig is left.
func (r *rig) noSurvivors() {
	r.t.Helper()
	require.Empty(r.t, proctest.Survivors(r.marker), "processes of the test survive")
}

// Helpers to pick events.

func started(name string) func(api.Event) bool {
	return func(e api.Event) bool { s, ok := e.(*api.Started); return ok && s.Process.Name == name }
}

func ended(name string) func(api.Event) bool {
	return func(e api.Event) bool { s, ok := e.(*api.Ended); return ok && s.Process.Name == name }
}

func output(name, text string) func(api.Event) bool {
	return func(e api.Event) bool {
		o, ok := e.(*api.Output)
		return ok && o.Name == name && strings.Contains(o.Text, text)
	}
}

func notified(name string, kinds ...string) func(api.Event) bool {
	return func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		if !ok || n.Notification.ProcessName != name {
			return false
		}
		for _, k := range kinds {
			if n.Notification.Kind == k {
				return true
			}
		}
		return len(kinds) == 0
	}
}

func recipeEvent(ok bool) func(api.Event) bool {
	return func(e api.Event) bool { r, is := e.(*api.RecipeLoaded); return is && r.OK == ok }
}

func notifications(events []api.Event) []api.Notification {
	var out []api.Notification
	for _, e := range events {
		if n, ok := e.(*api.Notified); ok {
			out = append(out, n.Notification)
		}
	}
	return out
}

// tell writes an event as a line.
func tell(e api.Event) string {
	switch e := e.(type) {
	case *api.Started:
		return "started " + e.Process.Name
	case *api.Ended:
		return "ended " + e.Process.Name + " " + e.Process.Status
	case *api.Changed:
		return "changed " + e.Process.Name + " " + e.Process.Status
	case *api.Output:
		return fmt.Sprintf("output %s %s %q", e.Name, e.Stream, e.Text)
	case *api.Notified:
		return fmt.Sprintf("notification %s %s %s %q", e.Notification.ProcessName, e.Notification.Kind, e.Notification.Attention, e.Notification.Summary)
	case *api.RecipeLoaded:
		return fmt.Sprintf("recipe ok=%v +%v -%v !%v ~%v =%v %v", e.OK, e.Added, e.Removed, e.Restarted, e.Updated, e.Kept, e.Errors)
	case *api.Trouble:
		return "trouble " + e.What + ": " + e.Message
	case *api.HostState:
		return "host " + e.State
	}
	return fmt.Sprintf("%T", e)
}

func tellAll(events []api.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintln(&b, tell(e))
	}
	return b.String()
}
