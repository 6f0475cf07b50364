package host

import (
	"context"
	"os"
	"path/filepath"

	"github.com/prochost/prochost/host/api"
)

// roles are what this binary can do instead of running tests, in a process of its own.
var roles = map[string]func(){}

// actor is a host that is a process of its own, which plays a role.
type actor struct {
	*Host
	dir   string // of the recipe
	ready chan struct{}
	shown chan struct{}
	over  chan struct{}
}

// act runs a recipe, and returns when it is in force. see is shown what a feed shows, one event at a time.
func act(recipe string, show FeedOptions, see func(*actor, api.Event), change ...func(*Options)) *actor {
	dir, err := os.MkdirTemp("", "host-role-")
	must(err)
	opt := Options{
		Recipe: filepath.Join(dir, "prochost.lua"), Env: os.Environ(), Shell: []string{"/bin/sh", "-c"},
		LogDir: filepath.Join(dir, "logs"), Version: "0.0.0-test", NoWatch: true, OwnsOrphans: true,
	}
	for _, f := range change {
		f(&opt)
	}
	must(os.WriteFile(opt.Recipe, []byte(recipe), 0o600))
	h, err := New(opt)
	must(err)
	a := &actor{Host: h, dir: dir, ready: make(chan struct{}), shown: make(chan struct{}), over: make(chan struct{})}
	feed := h.Subscribe(show)
	go func() {
		defer close(a.shown)
		for {
			e, err := feed.Next(context.Background())
			if err != nil {
				return
			}
			if state, is := e.(*api.HostState); is && state.State == "ready" {
				close(a.ready)
			}
			see(a, e)
		}
	}()
	go func() {
		defer close(a.over)
		_, err := h.Run(context.Background())
		must(err)
	}()
	<-a.ready
	return a
}

// end waits until everything has ended and has been shown.
func (a *actor) end() {
	<-a.over
	<-a.shown
	must(os.RemoveAll(a.dir))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// variable returns what the test gave the role.
func variable(name string) string {
	v := os.Getenv(name)
	if v == "" {
		panic("no " + name)
	}
	return v
}
