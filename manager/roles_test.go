package manager

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// roleVar makes this binary play a role instead of running tests: a host in circumstances that cannot be had
// within the test process. A role prints what the test then looks at.
const roleVar = "MANAGER_TEST_ROLE"

// tokenVar is in the environment of everything that a test starts.
const tokenVar = "MANAGER_TEST_TOKEN"

var roles = map[string]func(){
	"handler": childWithHandler,
	"leaver":  childThatLeaves,
}

// ordinaryUser is nobody else's on the machine, and nobody else's among the tests: limits are counted by user.
var ordinaryUser atomic.Uint32

func init() { ordinaryUser.Store(64000) }

// play runs a role below a shell script that ends in `exec "$0"`, as an ordinary user if this one is root and
// that is asked for, and returns what it printed.
func play(t *testing.T, role, script string, ordinary bool, change func(*exec.Cmd)) string {
	t.Helper()
	binary, err := os.Open("/proc/self/exe")
	require.NoError(t, err)
	defer binary.Close()
	var out, problems bytes.Buffer
	// The binary is run through a descriptor, since an ordinary user cannot pass its directory.
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script, "/proc/self/fd/3")
	cmd.Dir = "/"
	token := fmt.Sprintf("61.%09d", rand.N(1_000_000_000))
	cmd.Env = append(os.Environ(), roleVar+"="+role, tokenVar+"="+token,
		"GORACE=atexit_sleep_ms=0")
	cmd.ExtraFiles = []*os.File{binary}
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if ordinary && os.Getuid() == 0 {
		user := ordinaryUser.Add(1)
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	if change != nil {
		change(cmd)
	}
	err = cmd.Run()
	left := processesWith(tokenVar + "=" + token)
	for _, p := range left { // a role that was cut short leaves them
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
	require.NoError(t, err, "%s%s", &out, &problems)
	assert.Empty(t, left, "processes that survive")
	return out.String()
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
