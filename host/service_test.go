package host

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newService(t *testing.T, recipe string, change ...func(*Options)) (*rig, api.Service) {
	t.Helper()
	change = append(change, stay, func(o *Options) {
		if recipe == "" {
			o.Project, o.Recipe = filepath.Dir(o.Recipe), ""
		}
	})
	r := newRig(t, recipe, change...)
	r.wait(0, "ready", func(e api.Event) bool { s, ok := e.(*api.HostState); return ok && s.State == "ready" })
	return r, r.h.Service()
}

func latest(t *testing.T, s api.Service) map[string]string {
	t.Helper()
	all, err := s.List(t.Context(), api.ListIn{Latest: true})
	require.NoError(t, err)
	m := map[string]string{}
	for _, i := range all {
		m[i.Name] = i.Status
	}
	return m
}

// notifications returns what was told so far.
func (r *rig) notifications() (all []api.Notification) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if n, ok := e.(*api.Notified); ok {
			all = append(all, n.Notification)
		}
	}
	return all
}

const threeProcesses = `
process "db" { command = "exec sleep 1000" }
process "api" { command = "exec sleep 1000", depends = { "db" } }
process "tool" { command = "exec sleep 1000", auto = false }
`

func TestStopStartRestartOfDeclared(t *testing.T) {
	t.Parallel()
	r, s := newService(t, threeProcesses)
	ctx := t.Context()
	r.wait(0, "its start", started("api"))
	assert.Equal(t, map[string]string{"db": "running", "api": "running", "tool": "declared"}, latest(t, s))

	first, err := s.Get(ctx, api.Ref{ID: "api"})
	require.NoError(t, err)
	out, err := s.Stop(ctx, api.StopIn{ID: "api"})
	require.NoError(t, err)
	assert.True(t, out.OK)
	assert.Equal(t, "killed", out.Info.Status)
	assert.Equal(t, first.ID, out.Info.ID)
	assert.Equal(t, "declared", latest(t, s)["api"])
	why, err := s.Why(ctx, api.Ref{ID: "api"})
	require.NoError(t, err)
	assert.Equal(t, "api was stopped by hand, and stays so until somebody starts it", why.Text)
	assert.Equal(t, "user", why.StoppedBy)

	_, err = s.RecipeReload(ctx, api.RecipeReloadIn{})
	require.NoError(t, err)
	assert.Equal(t, "declared", latest(t, s)["api"], "a reload starts nothing that was stopped by hand")

	started, err := s.Start(ctx, api.StartIn{Name: "api"})
	require.NoError(t, err)
	assert.Equal(t, "running", started.Status)
	assert.NotEqual(t, first.ID, started.ID)
	again, err := s.Start(ctx, api.StartIn{Name: "api"})
	require.NoError(t, err)
	assert.Equal(t, started.ID, again.ID, "it runs already")

	next, err := s.Restart(ctx, api.RestartIn{ID: "api"})
	require.NoError(t, err)
	assert.Equal(t, "running", next.Status)
	assert.NotEqual(t, started.ID, next.ID)
	old, err := s.Get(ctx, api.Ref{ID: started.ID})
	require.NoError(t, err)
	assert.Equal(t, "killed", old.Status)

	tool, err := s.Restart(ctx, api.RestartIn{ID: "tool"})
	require.NoError(t, err)
	assert.Equal(t, "running", tool.Status, "what does not run is started")

	for _, e := range r.notifications() {
		assert.Equal(t, "context", e.Attention, e.Summary)
	}
}

// Twenty clients start, stop and restart the same two processes at once: one instance of each at most is live, and
// every answer is one that the host can stand by.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	_, s := newService(t, threeProcesses)
	ctx := t.Context()
	var clients sync.WaitGroup
	for n := range 20 {
		clients.Go(func() {
			for k := range 6 {
				name := []string{"db", "api"}[(n+k)%2]
				var err error
				switch (n + k) % 3 {
				case 0:
					var i api.Info
					i, err = s.Start(ctx, api.StartIn{Name: name})
					assert.NotEmpty(t, i.Status)
				case 1:
					var out api.StopOut
					out, err = s.Stop(ctx, api.StopIn{ID: name})
					if err == nil {
						assert.True(t, out.OK)
					}
				case 2:
					_, err = s.Restart(ctx, api.RestartIn{ID: name})
				}
				if err != nil { // a restart that a stop has overtaken
					assert.Equal(t, api.ReasonEnded, api.ReasonOf(err), "%v", err)
				}
				live := map[string]int{}
				all, err := s.List(ctx, api.ListIn{Statuses: []string{"running", "terminating"}})
				assert.NoError(t, err)
				for _, i := range all {
					live[i.Name]++
				}
				assert.LessOrEqual(t, live["db"], 1)
				assert.LessOrEqual(t, live["api"], 1)
			}
		})
	}
	clients.Wait()
	for _, name := range []string{"db", "api"} {
		out, err := s.Stop(ctx, api.StopIn{ID: name})
		require.NoError(t, err)
		assert.True(t, out.OK)
		assert.Equal(t, "declared", latest(t, s)[name])
	}
}

func TestCommandWithoutARecipe(t *testing.T) {
	t.Parallel()
	r, s := newService(t, "")
	ctx := t.Context()
	i, err := s.Start(ctx, api.StartIn{
		Name: "greet", Command: `read x; echo "$x, $WHO"; echo oops >&2; exit 3`, Env: map[string]string{"WHO": "world"}, Source: "test",
	})
	require.NoError(t, err)
	assert.Equal(t, "running", i.Status)
	assert.Equal(t, "test", i.Source)

	_, err = s.Write(ctx, api.WriteIn{ID: "greet", Input: "hello\n"})
	require.NoError(t, err)
	w, err := s.Wait(ctx, api.WaitIn{ID: i.ID})
	require.NoError(t, err)
	assert.Equal(t, "ended", w.What)
	assert.Equal(t, 3, *w.Info.ExitCode)

	out, err := s.Output(ctx, api.OutputIn{ID: "greet"})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"hello, world", "oops"}, strings.Split(out.Text, "\n"))
	both, err := s.CombinedOutput(ctx, api.TailIn{ID: "greet"})
	require.NoError(t, err)
	assert.ElementsMatch(t, []api.CombinedLine{{Type: "stdout", Text: "hello, world"}, {Type: "stderr", Text: "oops"}}, both)
	some, err := s.Output(ctx, api.OutputIn{ID: "greet", Pattern: "^oo", Mode: "regex"})
	require.NoError(t, err)
	assert.Equal(t, "oops", some.Text)
	size, err := s.FileSize(ctx, api.Ref{ID: "greet"})
	require.NoError(t, err)
	assert.Equal(t, api.FileSize{Stdout: 13, Stderr: 5, Total: 18}, size)

	r.wait(0, "its end is told", func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		return ok && n.Notification.Kind == "crash" && n.Notification.ProcessName == "greet"
	})
	next, err := s.Restart(ctx, api.RestartIn{ID: "greet"})
	require.NoError(t, err)
	assert.Equal(t, 1, next.Restarts)
	killed, err := s.Kill(ctx, api.KillIn{ID: "greet", Signal: "KILL"})
	require.NoError(t, err)
	assert.True(t, killed.OK)
	cleared, err := s.Clear(ctx, api.ClearIn{})
	require.NoError(t, err)
	assert.Equal(t, 2, cleared.Cleared)
	all, err := s.List(ctx, api.ListIn{})
	require.NoError(t, err)
	assert.Empty(t, all)
	none, err := s.Get(ctx, api.Ref{ID: i.ID})
	require.NoError(t, err)
	assert.Nil(t, none)
}

// Two live processes may bear one name; then only the id says which is meant.
func TestNamesOfSeveral(t *testing.T) {
	t.Parallel()
	_, s := newService(t, "")
	ctx := t.Context()
	var ids []string
	for range 2 {
		i, err := s.Start(ctx, api.StartIn{Argv: []string{"sleep", "1000"}})
		require.NoError(t, err)
		assert.Equal(t, "sleep", i.Name)
		ids = append(ids, i.ID)
	}
	_, err := s.Stop(ctx, api.StopIn{ID: "sleep"})
	assert.Equal(t, api.ReasonAmbiguous, api.ReasonOf(err))
	assert.Equal(t, ids, err.(*api.Error).Names)
	_, err = s.Stop(ctx, api.StopIn{ID: ids[0]})
	require.NoError(t, err)
	out, err := s.Stop(ctx, api.StopIn{ID: "sleep"})
	require.NoError(t, err)
	assert.Equal(t, ids[1], out.Info.ID)
	renamed, err := s.Start(ctx, api.StartIn{Argv: []string{"sleep", "1000"}})
	require.NoError(t, err)
	u, err := s.Update(ctx, api.UpdateIn{ID: renamed.ID, Name: "nap", Watches: &api.WatchesIn{
		Mode: "append", Items: []api.WatchItemIn{{Pattern: "x"}, {Pattern: "y"}},
	}})
	require.NoError(t, err)
	assert.Equal(t, "nap", u.Process.Name)
	assert.Len(t, u.Watches, 2)
	u, err = s.Update(ctx, api.UpdateIn{ID: "nap", Watches: &api.WatchesIn{Mode: "remove", Items: []api.WatchItemIn{{Pattern: "x"}}}})
	require.NoError(t, err)
	assert.Equal(t, []api.MatcherIn{{Pattern: "y", Mode: "literal", Stream: "both", On: "turn"}}, u.Watches)
}

// What is wrong with an input is named with its field, and nothing has changed.
func TestBadInput(t *testing.T) {
	t.Parallel()
	_, s := newService(t, threeProcesses)
	ctx := t.Context()
	minus := int64(-1)
	many := 2001
	for want, f := range map[string]func() error{
		`no process is named "apj"; did you mean "api"?`:       func() error { _, err := s.Stop(ctx, api.StopIn{ID: "apj"}); return err },
		`id: it is the id or the name of a process, and empty`: func() error { _, err := s.Why(ctx, api.Ref{}); return err },
		`signal: unknown signal "SIGFOO"`:                      func() error { _, err := s.Signal(ctx, api.SignalIn{ID: "api", Signal: "SIGFOO"}); return err },
		`graceMs: it cannot be negative`:                       func() error { _, err := s.Stop(ctx, api.StopIn{ID: "api", GraceMs: &minus}); return err },
		`tailLines: got 2001, want 0 to 2000`:                  func() error { _, err := s.Output(ctx, api.OutputIn{ID: "api", TailLines: &many}); return err },
		`statuses: got "x", want of all, failed, finished, killed, running, terminate_timeout, terminating`: func() error {
			_, err := s.List(ctx, api.ListIn{Statuses: []string{"x"}})
			return err
		},
		`argv: command is given too: it is one or the other`: func() error {
			_, err := s.Start(ctx, api.StartIn{Command: "x", Argv: []string{"y"}})
			return err
		},
		`notify.logMatches[1].mode: got "glob", want "literal" or "regex"`: func() error {
			_, err := s.Start(ctx, api.StartIn{Command: "x", Notify: &api.NotifyIn{LogMatches: []api.MatcherIn{{Pattern: "a"}, {Pattern: "b", Mode: "glob"}}}})
			return err
		},
		`there is no session "sess_x": it has ended, or was never opened`: func() error {
			_, err := s.Start(ctx, api.StartIn{Command: "x", Session: "sess_x"})
			return err
		},
		`for: "api" has no readiness: its recipe says nothing of when it is ready`: func() error {
			_, err := s.Wait(ctx, api.WaitIn{ID: "api", For: "ready"})
			return err
		},
		`"tool" has not run yet: tool is declared with auto = false: it runs when somebody starts it, or needs it`: func() error {
			_, err := s.Output(ctx, api.OutputIn{ID: "tool"})
			return err
		},
	} {
		assert.EqualError(t, f(), want)
	}
	all, err := s.List(ctx, api.ListIn{})
	require.NoError(t, err)
	assert.Len(t, all, 3)
}

func TestWaits(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `
process "db" { command = "read x; echo up; read x; exit 4", ready = { log = "up" } }
process "api" { command = "echo hello; exec sleep 1000", depends = { db = "ready" } }`)
	ctx := t.Context()
	short := int64(20)
	out, err := s.Wait(ctx, api.WaitIn{ID: "api", Pattern: "hello", TimeoutMs: &short})
	require.NoError(t, err)
	assert.Equal(t, "timeout", out.What)
	assert.Equal(t, "waiting", out.Info.Status)
	assert.Equal(t, "api waits for db to be ready", out.Info.Why)

	ready := make(chan api.WaitOut, 1)
	go func() {
		out, err := s.Wait(ctx, api.WaitIn{ID: "db", For: "ready"})
		assert.NoError(t, err)
		ready <- out
	}()
	r.wait(0, "its start", started("db"))
	_, err = s.Write(ctx, api.WriteIn{ID: "db", Input: "go\n"})
	require.NoError(t, err)
	assert.Equal(t, "ready", (<-ready).What)
	r.wait(0, "its start", started("api"))
	out, err = s.Wait(ctx, api.WaitIn{ID: "api", Pattern: "hel+o", Mode: "regex"})
	require.NoError(t, err)
	assert.Equal(t, "matched", out.What)
	assert.Equal(t, "hello", out.Line)
	_, err = s.Write(ctx, api.WriteIn{ID: "db", Input: "go\n"})
	require.NoError(t, err)
	out, err = s.Wait(ctx, api.WaitIn{ID: "db", Pattern: "never"})
	require.NoError(t, err)
	assert.Equal(t, "ended", out.What, "no line can come any more")
	assert.Equal(t, 4, *out.Info.ExitCode)
}

// A claim on an end that its holder has lost is told like any other end.
func TestClaimOfALostConnection(t *testing.T) {
	t.Parallel()
	r, s := newService(t, "")
	gone := make(chan struct{})
	ctx := api.WithCaller(t.Context(), api.Caller{Gone: gone})
	kept, err := s.Start(ctx, api.StartIn{Name: "kept", Command: "read x; exit 1", CompletionDelivery: "tool"})
	require.NoError(t, err)
	_, err = s.Write(ctx, api.WriteIn{ID: kept.ID, Input: "\n"})
	require.NoError(t, err)
	_, err = s.Wait(ctx, api.WaitIn{ID: kept.ID})
	require.NoError(t, err)
	lost, err := s.Start(ctx, api.StartIn{Name: "lost", Command: "read x; exit 2", CompletionDelivery: "tool"})
	require.NoError(t, err)
	close(gone)
	r.wait(0, "the claim is released", func(e api.Event) bool {
		c, ok := e.(*api.Changed)
		return ok && c.Process.Name == "lost"
	})
	_, err = s.Write(ctx, api.WriteIn{ID: lost.ID, Input: "\n"})
	require.NoError(t, err)
	r.wait(0, "its end is told", func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		return ok && n.Notification.ProcessName == "lost"
	})
	for _, n := range r.notifications() {
		assert.NotEqual(t, "kept", n.ProcessName, "its end went to the claim")
		assert.Equal(t, "followUp", n.DeliverAs)
	}
}

// Every session hears of the project, and nobody of what another session runs.
func TestSessions(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "db" { command = "read x; exit 1" }`)
	ctx := t.Context()
	a, err := s.SessionOpen(ctx, api.SessionOpenIn{Agent: "pi"})
	require.NoError(t, err)
	b, err := s.SessionOpen(ctx, api.SessionOpenIn{Agent: "claude"})
	require.NoError(t, err)
	r.wait(0, "its start", started("db"))
	_, err = s.Write(ctx, api.WriteIn{ID: "db", Input: "\n"})
	require.NoError(t, err)
	for _, id := range []string{a.ID, b.ID} {
		in, err := s.InboxTake(ctx, api.InboxTakeIn{Session: id, WaitMs: 60_000})
		require.NoError(t, err)
		require.Len(t, in.Notifications, 1)
		assert.Equal(t, uint64(1), in.Notifications[0].Number)
		assert.Equal(t, "db", in.Notifications[0].ProcessName)
		assert.Equal(t, id, in.Notifications[0].Session)
	}
	mine, err := s.Start(ctx, api.StartIn{Name: "mine", Command: "exit 5", Session: a.ID})
	require.NoError(t, err)
	in, err := s.InboxTake(ctx, api.InboxTakeIn{Session: a.ID, After: 1, WaitMs: 60_000})
	require.NoError(t, err)
	require.Len(t, in.Notifications, 1)
	assert.Equal(t, mine.ID, in.Notifications[0].ProcessID)

	_, err = s.InboxAck(ctx, api.InboxAckIn{Session: a.ID, UpTo: 3})
	assert.EqualError(t, err, "upTo: 3 was not given out yet, the last one is 2")
	ack, err := s.InboxAck(ctx, api.InboxAckIn{Session: a.ID, UpTo: 1})
	require.NoError(t, err)
	assert.Equal(t, api.InboxAckOut{Acked: 1, Pending: 1}, ack)

	owned, err := s.Start(ctx, api.StartIn{Name: "owned", Command: "exec sleep 1000", Session: a.ID})
	require.NoError(t, err)
	kept, err := s.Start(ctx, api.StartIn{Name: "kept", Command: "exec sleep 1000", Session: a.ID, Keep: true})
	require.NoError(t, err)
	closed, err := s.SessionClose(ctx, api.SessionRef{Session: a.ID})
	require.NoError(t, err)
	require.Len(t, closed.Stopped, 1)
	assert.Equal(t, owned.ID, closed.Stopped[0].ID)
	assert.Equal(t, "killed", closed.Stopped[0].Status)
	still, err := s.Get(ctx, api.Ref{ID: kept.ID})
	require.NoError(t, err)
	assert.Equal(t, "running", still.Status)
	all, err := s.SessionList(ctx, api.Nothing{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, api.Session{ID: b.ID, Agent: "claude", Opened: b.Opened, Last: 1, Pending: 1}, all[0])
}

// A stream begins with how things stand, and goes on without a gap; one that comes back gets what it has missed.
func TestEventsResume(t *testing.T) {
	t.Parallel()
	r, s := newService(t, threeProcesses)
	r.wait(0, "its start", started("api"))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events, err := s.Events(ctx, api.EventsIn{})
	require.NoError(t, err)
	first, err := events.Next(ctx)
	require.NoError(t, err)
	snapshot := first.(*api.Snapshot)
	assert.Len(t, snapshot.Processes, 3)
	seen := snapshot.Seq
	events.Close()

	_, err = s.Stop(ctx, api.StopIn{ID: "api"})
	require.NoError(t, err)
	back, err := s.Events(ctx, api.EventsIn{Since: &seen})
	require.NoError(t, err)
	defer back.Close()
	first, err = back.Next(ctx)
	require.NoError(t, err)
	assert.False(t, first.(*api.Snapshot).Missed)
	var types []string
	for len(types) < 3 {
		e, err := back.Next(ctx)
		require.NoError(t, err)
		seen++
		assert.Equal(t, seen, e.Head().Seq)
		types = append(types, e.Head().Type)
	}
	assert.Equal(t, []string{"changed", "ended", "notification"}, types)

	future := uint64(1 << 40)
	lost, err := s.Events(ctx, api.EventsIn{Since: &future})
	require.NoError(t, err)
	defer lost.Close()
	first, err = lost.Next(ctx)
	require.NoError(t, err)
	assert.True(t, first.(*api.Snapshot).Missed)
}

func TestLogsOfSeveral(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `
job "a" { command = "for i in 1 2 3; do echo a$i; done" }
job "b" { command = "for i in 1 2 3; do echo b$i; done", depends = { a = "success" } }`)
	ctx := t.Context()
	r.wait(0, "its end", ended("b"))
	read := func(in api.LogsIn) (lines []string) {
		stream, err := s.Logs(ctx, in)
		require.NoError(t, err)
		defer stream.Close()
		for {
			e, err := stream.Next(ctx)
			if err == io.EOF {
				return lines
			}
			require.NoError(t, err)
			lines = append(lines, e.(*api.Output).Text)
		}
	}
	two := 2
	assert.Equal(t, []string{"a1", "a2", "a3", "b1", "b2", "b3"}, read(api.LogsIn{}))
	assert.Equal(t, []string{"b1", "b2", "b3"}, read(api.LogsIn{IDs: []string{"b"}, Follow: true}))
	assert.Equal(t, []string{"a2", "a3", "b2", "b3"}, read(api.LogsIn{TailLines: &two}))
	assert.Equal(t, []string{"a3", "b3"}, read(api.LogsIn{Pattern: "3"}))
	assert.Equal(t, []string{"a1", "a2", "b1", "b2"}, read(api.LogsIn{Pattern: "[12]", Mode: "regex", TailLines: &two}))
	assert.Empty(t, read(api.LogsIn{Stream: "stderr"}))

	// What comes later under the same name is followed too.
	stream, err := s.Logs(ctx, api.LogsIn{IDs: []string{"a"}, Follow: true, Successors: true})
	require.NoError(t, err)
	defer stream.Close()
	go s.Restart(ctx, api.RestartIn{ID: "a"})
	var again string
	for range 6 {
		e, err := stream.Next(ctx)
		require.NoError(t, err)
		again = e.(*api.Output).ID
	}

	// The last lines of a name are those of all its instances.
	_, err = s.Wait(ctx, api.WaitIn{ID: again})
	require.NoError(t, err)
	four := 4
	assert.Equal(t, []string{"a3", "a1", "a2", "a3"}, read(api.LogsIn{TailLines: &four, Pattern: "a"}))
	all, err := s.List(ctx, api.ListIn{})
	require.NoError(t, err)
	var ids []string
	for _, p := range all {
		if p.Name == "a" {
			ids = append(ids, p.ID)
		}
	}
	assert.Len(t, ids, 2)
	assert.Equal(t, []string{"a3", "a1", "a2", "a3"}, read(api.LogsIn{IDs: ids, TailLines: &four}))
}

func TestShutdownThroughTheService(t *testing.T) {
	t.Parallel()
	r, s := newService(t, threeProcesses)
	r.wait(0, "its start", started("api"))
	_, err := s.Start(t.Context(), api.StartIn{Command: "exec sleep 1000"})
	require.NoError(t, err)
	out, err := s.HostShutdown(t.Context(), api.HostShutdownIn{})
	require.NoError(t, err)
	assert.Equal(t, 3, out.Stopped)
	r.finish()
	_, err = s.List(t.Context(), api.ListIn{})
	assert.Equal(t, api.ReasonClosing, api.ReasonOf(err))
}

func TestUsageCountsTheTree(t *testing.T) {
	t.Parallel()
	_, s := newService(t, "")
	i, err := s.Start(t.Context(), api.StartIn{Command: "sleep 1000 & echo up; wait", Name: "tree"})
	require.NoError(t, err)
	_, err = s.Wait(t.Context(), api.WaitIn{ID: i.ID, Pattern: "up"})
	require.NoError(t, err)
	all, err := s.Usage(t.Context(), api.UsageIn{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, 2, all[0].Processes)
	assert.Greater(t, all[0].Memory, int64(100<<10))
}

func TestRateOfTheMeter(t *testing.T) {
	var m meter
	start := time.Unix(1e9, 0)
	at := func(d time.Duration) time.Time { return start.Add(d) }
	assert.InDelta(t, 0.5, m.rate("a", 5*time.Second, start, at(10*time.Second)), 1e-9, "since its start")
	assert.InDelta(t, 2.0, m.rate("a", 7*time.Second, start, at(11*time.Second)), 1e-9, "since the last look")
	assert.InDelta(t, 2.0, m.rate("a", 7*time.Second, start, at(11*time.Second+moment/2)), 1e-9, "too soon to tell")
	m.prune(nil)
	assert.InDelta(t, 0.5, m.rate("a", 6*time.Second, start, at(12*time.Second)), 1e-9)
}
