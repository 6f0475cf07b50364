package manager

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

// patience bounds every wait for what must happen. It is no measure of speed.
const patience = 20 * time.Second

// host is a Manager with real processes that remembers what it is told.
type host struct {
	*Manager
	t     *testing.T
	token string // a number of seconds that no other test sleeps

	mu     sync.Mutex
	events []proc.Event
	more   chan struct{} // closed and replaced with every event
	logs   map[proc.ID]*testLog
	seen   map[proc.ID]*testObserver
	told   []string
}

func openHost(t *testing.T) *host {
	t.Helper()
	return openHostWith(t, Options{OwnsOrphans: true})
}

func openHostWith(t *testing.T, o Options) *host {
	t.Helper()
	h := &host{
		t: t, token: fmt.Sprintf("60.%09d", rand.N(1_000_000_000)), more: make(chan struct{}),
		logs: map[proc.ID]*testLog{}, seen: map[proc.ID]*testObserver{},
	}
	o.Events, o.OpenLog, o.Trouble = h.event, h.openLog, h.trouble
	m, err := New(o)
	require.NoError(t, err)
	h.Manager = m
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		assert.NoError(t, m.Close(ctx))
		h.nothingSurvives()
	})
	return h
}

func (h *host) event(e proc.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
	close(h.more)
	h.more = make(chan struct{})
}

func (h *host) openLog(id proc.ID) (Log, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logs[id] = &testLog{}
	return h.logs[id], nil
}

func (h *host) trouble(what, message string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, what+": "+message)
}

// sh is a spec that runs a script. In it, $nap is a sleep that ends with no test of its own.
func (h *host) sh(script string) proc.Spec {
	return proc.Spec{
		Name: "test", Command: strings.ReplaceAll(script, "$nap", "sleep "+h.token),
		Shell: []string{"/bin/sh", "-c"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin", tokenVar + "=" + h.token},
	}
}

func (h *host) argv(argv ...string) proc.Spec {
	s := h.sh("")
	s.Argv, s.Shell = argv, nil
	return s
}

// role is a spec that runs this binary in a role.
func (h *host) role(name string) proc.Spec {
	s := h.argv("/proc/self/exe")
	s.Env = append(s.Env, roleVar+"="+name, "GORACE=atexit_sleep_ms=0")
	return s
}

func (h *host) start(s proc.Spec) proc.ID {
	h.t.Helper()
	id := proc.NewID()
	obs := &testObserver{}
	h.mu.Lock()
	h.seen[id] = obs
	h.mu.Unlock()
	require.NoError(h.t, h.Start(id, s, obs))
	return id
}

// running starts s and waits until it has written "ready".
func (h *host) running(s proc.Spec) proc.ID {
	h.t.Helper()
	id := h.start(s)
	h.await("ready", func() bool { return strings.Contains(h.log(id).text(proc.Stdout), "ready") })
	return id
}

func (h *host) log(id proc.ID) *testLog {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.logs[id]; l != nil {
		return l
	}
	return &testLog{}
}

func (h *host) observer(id proc.ID) *testObserver {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen[id]
}

// eventsOf returns what was told of id.
func (h *host) eventsOf(id proc.ID) []proc.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	var es []proc.Event
	for _, e := range h.events {
		if infoOf(e).ID == id {
			es = append(es, e)
		}
	}
	return es
}

func infoOf(e proc.Event) proc.Info {
	switch e := e.(type) {
	case proc.Started:
		return e.Info
	case proc.Changed:
		return e.Info
	case proc.Ended:
		return e.Info
	}
	panic("no such event")
}

// ended waits for the end of id.
func (h *host) ended(id proc.ID) proc.Ended {
	h.t.Helper()
	var end proc.Ended
	h.await("the end of "+string(id), func() bool {
		for _, e := range h.eventsOf(id) {
			if e, is := e.(proc.Ended); is {
				end = e
				return true
			}
		}
		return false
	})
	return end
}

// await waits until is holds. It looks after every event, and again after a short while for what tells none.
func (h *host) await(what string, is func() bool) {
	h.t.Helper()
	late := time.After(patience)
	for {
		h.mu.Lock()
		more := h.more
		h.mu.Unlock()
		if is() {
			return
		}
		select {
		case <-more:
		case <-time.After(5 * time.Millisecond):
		case <-late:
			require.FailNow(h.t, "waited in vain for "+what)
		}
	}
}

func (h *host) stop(id proc.ID, req proc.StopRequest) StopResult {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := h.Stop(ctx, id, req)
	require.NoError(h.t, err)
	return r
}

// nothingSurvives fails if a process of this test lives.
func (h *host) nothingSurvives() {
	h.t.Helper()
	assert.Empty(h.t, processesWith(h.token), "processes that survive")
}

// processesWith returns the living processes that have token as an argument or in their environment.
func processesWith(token string) []proctest.Survivor { return proctest.Survivors(token) }

// waitUntil waits for what tells of itself by nothing else.
func waitUntil(t *testing.T, is func() bool) {
	t.Helper()
	for late := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(late), "waited in vain")
	}
}

// gate is what a script waits for by "read x <path".
type gate struct {
	t    *testing.T
	path string
}

func newGate(t *testing.T) gate {
	g := gate{t, filepath.Join(t.TempDir(), "gate")}
	require.NoError(t, syscall.Mkfifo(g.path, 0o600))
	return g
}

// open lets one script pass. It waits until one is there.
func (g gate) open() {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_WRONLY, 0)
	require.NoError(g.t, err)
	_, err = f.WriteString("go\n")
	require.NoError(g.t, err)
	f.Close()
}

// testLog keeps everything in memory.
type testLog struct {
	mu     sync.Mutex
	bytes  [proc.NumStreams]bytes.Buffer
	order  bytes.Buffer
	closed bool
}

func (l *testLog) Append(s proc.Stream, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		panic("append to a closed log")
	}
	l.bytes[s].Write(p)
	l.order.Write(p)
}

func (l *testLog) Files() (string, string) { return "out.log", "err.log" }

func (l *testLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return nil
}

func (l *testLog) text(s proc.Stream) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes[s].String()
}

func (l *testLog) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// testObserver keeps what it sees and whether it was flushed.
type testObserver struct {
	mu      sync.Mutex
	seen    [proc.NumStreams]bytes.Buffer
	flushed int
}

func (o *testObserver) Output(s proc.Stream, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.flushed > 0 {
		panic("output after flush")
	}
	o.seen[s].Write(p)
}

func (o *testObserver) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushed++
}

func (o *testObserver) text(s proc.Stream) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[s].String()
}
