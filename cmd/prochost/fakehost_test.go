package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/stretchr/testify/require"
)

// fakeHost is a host that answers what a test has put into it, and remembers what it was asked. What a test has not
// put into it fails.
type fakeHost struct {
	api.Service
	all      []api.Info // latest ones are those that nothing of the same name follows
	usage    []api.Usage
	status   api.RecipeStatus
	sessions []api.Session
	inbox    []api.Notification
	stream   *fakeFeed // of logs and of events

	start   func(in api.StartIn) (api.Info, error)
	stop    func(in api.StopIn) (api.StopOut, error)
	kill    func(in api.KillIn) (api.StopOut, error)
	restart func(in api.RestartIn) (api.Info, error)
	signal  func(in api.SignalIn) (api.Info, error)
	write   func(in api.WriteIn) (api.WriteOut, error)
	update  func(in api.UpdateIn) (api.UpdateOut, error)
	wait    func(in api.WaitIn) (api.WaitOut, error)
	why     func(ref string) (api.WhyOut, error)
	reload  func(in api.RecipeReloadIn) (api.RecipeLoaded, error)

	mu    sync.Mutex
	asked []any // inputs, in order
}

func note[In, Out any](h *fakeHost, in In, do func(In) (Out, error)) (Out, error) {
	h.mu.Lock()
	h.asked = append(h.asked, in)
	h.mu.Unlock()
	return do(in)
}

func (h *fakeHost) List(_ context.Context, in api.ListIn) ([]api.Info, error) {
	var list []api.Info
	for i, p := range h.all {
		followed := false
		for _, later := range h.all[i+1:] {
			followed = followed || later.Name == p.Name
		}
		wanted := len(in.Statuses) == 0
		for _, s := range in.Statuses {
			wanted = wanted || s == p.Status || s == "failed" && p.Success != nil && !*p.Success
		}
		if wanted && !(in.Latest && followed && !p.Live()) {
			list = append(list, p)
		}
	}
	return list, nil
}

func (h *fakeHost) Usage(context.Context, api.UsageIn) ([]api.Usage, error) { return h.usage, nil }

func (h *fakeHost) RecipeStatus(context.Context, api.Nothing) (api.RecipeStatus, error) {
	return h.status, nil
}

func (h *fakeHost) Start(_ context.Context, in api.StartIn) (api.Info, error) {
	return note(h, in, h.start)
}

func (h *fakeHost) Stop(_ context.Context, in api.StopIn) (api.StopOut, error) {
	return note(h, in, h.stop)
}

func (h *fakeHost) Kill(_ context.Context, in api.KillIn) (api.StopOut, error) {
	return note(h, in, h.kill)
}

func (h *fakeHost) Restart(_ context.Context, in api.RestartIn) (api.Info, error) {
	return note(h, in, h.restart)
}

func (h *fakeHost) Signal(_ context.Context, in api.SignalIn) (api.Info, error) {
	return note(h, in, h.signal)
}

func (h *fakeHost) Write(_ context.Context, in api.WriteIn) (api.WriteOut, error) {
	in.Data = append([]byte(nil), in.Data...)
	return note(h, in, h.write)
}

func (h *fakeHost) Update(_ context.Context, in api.UpdateIn) (api.UpdateOut, error) {
	return note(h, in, h.update)
}

func (h *fakeHost) Wait(_ context.Context, in api.WaitIn) (api.WaitOut, error) {
	return note(h, in, h.wait)
}

func (h *fakeHost) Why(_ context.Context, in api.Ref) (api.WhyOut, error) { return h.why(in.ID) }

func (h *fakeHost) Clear(_ context.Context, in api.ClearIn) (api.ClearOut, error) {
	return note(h, in, func(in api.ClearIn) (api.ClearOut, error) { return api.ClearOut{Cleared: len(in.IDs)}, nil })
}

func (h *fakeHost) RecipeReload(_ context.Context, in api.RecipeReloadIn) (api.RecipeLoaded, error) {
	return note(h, in, h.reload)
}

func (h *fakeHost) SessionList(context.Context, api.Nothing) ([]api.Session, error) {
	return h.sessions, nil
}

func (h *fakeHost) InboxTake(_ context.Context, in api.InboxTakeIn) (api.InboxTakeOut, error) {
	return note(h, in, func(in api.InboxTakeIn) (api.InboxTakeOut, error) {
		n := min(len(h.inbox), in.Max)
		return api.InboxTakeOut{Notifications: h.inbox[:n], More: n < len(h.inbox)}, nil
	})
}

func (h *fakeHost) InboxAck(_ context.Context, in api.InboxAckIn) (api.InboxAckOut, error) {
	return note(h, in, func(api.InboxAckIn) (api.InboxAckOut, error) { return api.InboxAckOut{Acked: 2, Pending: 1}, nil })
}

func (h *fakeHost) Logs(_ context.Context, in api.LogsIn) (api.Stream, error) {
	return note(h, in, func(api.LogsIn) (api.Stream, error) { return h.stream, nil })
}

func (h *fakeHost) Events(_ context.Context, in api.EventsIn) (api.Stream, error) {
	return note(h, in, func(api.EventsIn) (api.Stream, error) { return h.stream, nil })
}

// Close makes a feed a stream.
func (f *fakeFeed) Close() {}

// feedOf is a feed of just these events.
func feedOf(events ...api.Event) *fakeFeed {
	f := &fakeFeed{events: make(chan api.Event, len(events))}
	for _, e := range events {
		f.events <- e
	}
	close(f.events)
	return f
}

// fakeReach reaches one host, or none.
type fakeReach struct {
	h    api.Service
	list []view.Host
	err  error
}

func (r fakeReach) dial(context.Context, string) (api.Service, func(), error) {
	switch {
	case r.err != nil:
		return nil, nil, r.err
	case r.h == nil:
		return nil, nil, fmt.Errorf("reach the host: %w", rpc.ErrNoHost)
	}
	return r.h, func() {}, nil
}

func (r fakeReach) ensure(ctx context.Context, p place) (api.Service, func(), error) {
	return r.dial(ctx, p.project)
}

func (r fakeReach) hosted(string) bool { return false }

func (r fakeReach) hosts(context.Context) ([]view.Host, error) { return r.list, nil }

// result is what a command line has come to.
type result struct {
	code           int
	stdout, stderr string
}

// typed carries out a command line with the host h; nil: there is none. Stdin is empty.
func (h *fakeHost) typed(t *testing.T, args ...string) result {
	t.Helper()
	return h.fed(t, "", args...)
}

// fed is typed with a text on stdin.
func (h *fakeHost) fed(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	r := fakeReach{}
	if h != nil {
		r.h = h
	}
	return through(t, r, stdin, args...)
}

func through(t *testing.T, r reach, stdin string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "stdin")
	require.NoError(t, os.WriteFile(in, []byte(stdin), 0o600))
	files := map[string]*os.File{}
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
		require.NoError(t, err)
		defer f.Close()
		files[name] = f
	}
	a := &app{stdin: files["stdin"], stdout: files["stdout"], stderr: files["stderr"], environ: []string{"HOME=/home/me", "A=1"}, reach: r}
	got := result{code: a.run(args)}
	for name, text := range map[string]*string{"stdout": &got.stdout, "stderr": &got.stderr} {
		_, err := files[name].Seek(0, io.SeekStart)
		require.NoError(t, err)
		b, err := io.ReadAll(files[name])
		require.NoError(t, err)
		*text = string(b)
	}
	return got
}

// Processes of the tests.

func running(id, name string, pid int) api.Info {
	return api.Info{ID: id, Name: name, PID: &pid, Status: "running", StartTime: 1}
}

func ended(id, name string, code int) api.Info {
	pid, end, ok := 7, int64(1001), code == 0
	return api.Info{ID: id, Name: name, PID: &pid, Status: "exited", StartTime: 1, EndTime: &end, ExitCode: &code, Success: &ok}
}

func declared(name, status, why string) api.Info {
	return api.Info{Name: name, Status: status, Why: why}
}
