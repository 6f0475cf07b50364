package manager

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

// roles are what this binary can do instead of running tests, in a process of its own.
var roles = map[string]func(){
	"handler": childWithHandler,
	"leaver":  childThatLeaves,
	"orderly": parentThatEndsItsChild,
}

const (
	roleVar  = proctest.RoleVar
	tokenVar = proctest.TokenVar
)

// play runs a role below a shell script that ends in `exec "$0"`, as an ordinary user if that is asked for, and
// returns what it printed.
func play(t *testing.T, role, script string, ordinary bool, change func(*exec.Cmd)) string {
	t.Helper()
	return proctest.Stage{Script: script, Ordinary: ordinary, Change: change}.Play(t, role)
}

// roleHost is the Manager of a role.
type roleHost struct {
	*Manager
	ends chan proc.Ended

	mu     sync.Mutex
	output map[proc.ID]*testObserver
}

func openRole(o Options) *roleHost {
	h := &roleHost{ends: make(chan proc.Ended, 4096), output: map[proc.ID]*testObserver{}}
	o.Events = func(e proc.Event) {
		if e, is := e.(proc.Ended); is {
			h.ends <- e
		}
	}
	m, err := New(o)
	if err != nil {
		panic(err)
	}
	h.Manager = m
	return h
}

func (h *roleHost) start(argv ...string) proc.ID {
	id := proc.NewID()
	h.mu.Lock()
	h.output[id] = &testObserver{}
	h.mu.Unlock()
	err := h.Start(id, proc.Spec{Name: argv[0], Argv: argv, Dir: "/", Env: []string{"PATH=/usr/bin:/bin", tokenVar + "=" + os.Getenv(tokenVar)}}, h.output[id])
	if err != nil {
		panic(err)
	}
	return id
}

// run runs a program to its end and returns what it wrote.
func (h *roleHost) run(argv ...string) string {
	id := h.start(argv...)
	for e := range h.ends {
		if e.Info.ID == id {
			return strings.TrimSpace(h.output[id].text(proc.Stdout) + e.End.Cause())
		}
	}
	panic("unreachable")
}

func (h *roleHost) mustClose() {
	if err := h.Close(context.Background()); err != nil {
		panic(err)
	}
}
