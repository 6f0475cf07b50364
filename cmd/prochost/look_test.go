package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWait(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "api", 1), running("p2", "db", 2)}}
	var out map[string]api.WaitOut
	h.wait = func(in api.WaitIn) (api.WaitOut, error) { return out[in.ID], nil }
	ms := int64(1500)
	for _, tt := range []struct {
		args string
		out  api.WaitOut
		in   api.WaitIn
		want string
		code int
	}{
		{"", api.WaitOut{What: "ended", Info: ended("p1", "api", 0)}, api.WaitIn{For: "ended"}, "exited (0)", 0},
		{"--for exit", api.WaitOut{What: "ended", Info: ended("p1", "api", 3)}, api.WaitIn{For: "ended"}, "exited (3)", 1},
		{"", api.WaitOut{What: "ended", Info: declared("api", "skipped", "api is left out: it needs db")}, api.WaitIn{For: "ended"}, "is left out: it needs db", 1},
		{"--for ready", api.WaitOut{What: "ready"}, api.WaitIn{For: "ready"}, "ready", 0},
		{"--for ready", api.WaitOut{What: "ended", Info: ended("p1", "api", 0)}, api.WaitIn{For: "ready"}, "exited (0), before it was ready", 1},
		{"--for listening", api.WaitOut{What: "matched", Line: "\x1b[2Jlistening on :80"}, api.WaitIn{Pattern: "listening"}, "listening on :80", 0},
		{"--for :(.+) --regex", api.WaitOut{What: "ended", Info: ended("p1", "api", 0)}, api.WaitIn{Pattern: ":(.+)", Mode: "regex"}, "exited (0), without such a line", 1},
		{"--timeout 1.5s", api.WaitOut{What: "timeout", Info: running("p1", "api", 1)}, api.WaitIn{For: "ended", TimeoutMs: &ms}, "the time is over; running, pid 1", exitTimeout},
	} {
		h.asked, out = nil, map[string]api.WaitOut{"api": tt.out}
		got := h.typed(t, append([]string{"wait", "api"}, typedWords(tt.args)...)...)
		assert.Equal(t, result{code: tt.code, stdout: "api: " + tt.want + "\n"}, got, tt.args)
		tt.in.ID = "api"
		assert.Equal(t, []any{tt.in}, h.asked)
	}
	out = map[string]api.WaitOut{"db": {What: "ready"}, "api": {What: "timeout", Info: running("p1", "api", 1)}}
	got := h.typed(t, "wait", "db", "api", "--for", "ready", "--json")
	assert.Equal(t, exitTimeout, got.code, "all of them are waited for")
	assert.Regexp(t, `^\{"what":"ready",.*\}\n\{"what":"timeout",.*\}\n$`, got.stdout)
	for _, args := range []string{"", "api --for ready --regex", "api --for ''", "api --timeout soon"} {
		assert.Equal(t, exitUsage, h.typed(t, append([]string{"wait"}, typedWords(args)...)...).code, args)
	}
}

func TestWhy(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "db", 1), declared("web", "waiting", "")}}
	h.why = func(ref string) (api.WhyOut, error) {
		return api.WhyOut{Name: ref, Status: "s", Text: ref + " is so", Chain: []string{"because"}}, nil
	}
	assert.Equal(t, result{stdout: "web is so\n└─ because\np1 is so\n└─ because\n"}, h.typed(t, "why", "web", "d*"))
	assert.Equal(t, `{"name":"web","status":"s","text":"web is so","chain":["because"]}`+"\n", h.typed(t, "why", "web", "--json").stdout)
	assert.Equal(t, exitUsage, h.typed(t, "why").code)
	assert.Equal(t, exitUnknownName, h.typed(t, "why", "wbe").code)
}

func outputs() *fakeFeed {
	return feedOf(
		api.NewOutput(api.Output{ID: "p2", Name: "api", Stream: "stdout", Line: 1, Text: "\x1b[31mred\x1b[0m\x1b[2J <b>"}),
		api.NewOutput(api.Output{ID: "p3", Name: "worker", Stream: "stderr", Line: 1, Text: "two"}),
		api.NewLagged(3),
	)
}

func TestLogsAreShown(t *testing.T) {
	missing := "3 events or lines are missing here: they came faster than they could be shown\n"
	for args, want := range map[string]string{
		"":                   "api    | red <b>\nworker | two\n       ! " + missing,
		"api worker":         "api    | red <b>\nworker | two\n       ! " + missing,
		"api":                "red <b>\ntwo\n! " + missing,
		"ap*":                "api | red <b>\nworker | two\n       ! " + missing,
		"--no-prefix":        "red <b>\ntwo\n! " + missing,
		"--color always api": "\x1b[31mred\x1b[0m <b>\x1b[0m\ntwo\n\x1b[33m!\x1b[0m " + missing,
		"--raw":              "\x1b[31mred\x1b[0m\x1b[2J <b>\ntwo\n",
		"--json":             `{"time":0,"type":"output","id":"p2","name":"api","stream":"stdout","line":1,"text":"\u001b[31mred\u001b[0m\u001b[2J <b>"}` + "\n" + `{"time":0,"type":"output","id":"p3","name":"worker","stream":"stderr","line":1,"text":"two"}` + "\n" + `{"time":0,"type":"lagged","missed":3}` + "\n",
	} {
		h := &fakeHost{all: []api.Info{ended("p1", "api", 1), running("p2", "api", 2), running("p3", "worker", 3), declared("web", "waiting", "")}, stream: outputs()}
		got := h.typed(t, append([]string{"logs"}, typedWords(args)...)...)
		assert.Equal(t, 0, got.code)
		assert.Equal(t, want, got.stdout, args)
	}
}

func TestLogsAsksFor(t *testing.T) {
	all := []api.Info{ended("p1", "api", 1), running("p2", "api", 2), running("p3", "worker", 3), declared("web", "waiting", "")}
	n := func(n int) *int { return &n }
	for args, want := range map[string]api.LogsIn{
		"":                             {},
		"api":                          {IDs: []string{"p1", "p2"}},
		"p2":                           {IDs: []string{"p2"}},
		"api p1 '*'":                   {IDs: []string{"p1", "p2", "p3", "web"}},
		"-f web":                       {IDs: []string{"web"}, Follow: true, Successors: true},
		"-n 5 -f":                      {TailLines: n(5), Follow: true, Successors: true},
		"--tail 0":                     {TailLines: n(0)},
		"--tail all":                   {},
		"--grep x":                     {Pattern: "x"},
		"--grep x --regex":             {Pattern: "x", Mode: "regex"},
		"--stream stderr":              {Stream: "stderr"},
		"--since 2026-11-30T09:30:00Z": {Since: 1796031000000},
	} {
		h := &fakeHost{all: all, stream: feedOf()}
		assert.Equal(t, result{}, h.typed(t, append([]string{"logs"}, typedWords(args)...)...), args)
		if want.Stream == "" {
			want.Stream = "both"
		}
		assert.Equal(t, []any{want}, h.asked, args)
	}
	h := &fakeHost{all: all, stream: feedOf()}
	for args, words := range map[string]string{
		"--raw --json":      "contradict each other",
		"--regex":           "--regex needs --grep",
		"--tail few":        `--tail is a number of lines, or all, not "few"`,
		"--tail -1":         `--tail is a number of lines`,
		"--since yesterday": `--since is a duration such as 10m, or a time`,
		"--stream stdin":    `--stream is both, stdout or stderr, not "stdin"`,
	} {
		got := h.typed(t, append([]string{"logs"}, typedWords(args)...)...)
		assert.Equal(t, exitUsage, got.code, args)
		assert.Contains(t, got.stderr, words, args)
	}
	assert.Empty(t, h.asked)
}

// A reader that goes away ends what follows, silently, also while nothing is written.
func TestReaderThatGoesAway(t *testing.T) {
	for _, args := range [][]string{
		{"logs", "-f"}, {"logs", "-f", "--raw"}, {"logs", "-f", "--json"}, {"listen"}, {"events"}, {"events", "--json"},
	} {
		for _, writes := range []bool{false, true} {
			h := &fakeHost{stream: newFakeFeed()}
			r, w, err := os.Pipe()
			require.NoError(t, err)
			stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
			require.NoError(t, err)
			a := &app{stdin: os.Stdin, stdout: w, stderr: stderr, reach: fakeReach{h: h}}
			code := make(chan int, 1)
			go func() { code <- a.run(args) }()
			require.NoError(t, r.Close())
			if writes {
				go func() {
					for _, e := range []api.Event{
						api.NewOutput(api.Output{Name: "api", Text: "x"}), api.NewNotified(api.Notification{Kind: "crash", Attention: "turn"}),
					} {
						select {
						case h.stream.events <- e:
						case <-t.Context().Done():
						}
					}
				}()
			}
			select {
			case got := <-code:
				assert.Equal(t, 0, got, args)
			case <-time.After(time.Minute):
				t.Fatalf("%v goes on", args)
			}
			text, err := os.ReadFile(stderr.Name())
			require.NoError(t, err)
			assert.Empty(t, string(text), args)
			w.Close()
			stderr.Close()
		}
	}
}

func TestListen(t *testing.T) {
	news := func() *fakeFeed {
		return feedOf(
			api.NewSnapshot(api.Snapshot{Processes: []api.Info{running("p1", "api", 1)}}),
			api.NewNotified(api.Notification{Number: 1, Kind: "crash", Attention: "turn", ProcessName: "api", Summary: "api broke\nin two lines", Fact: "api crashed"}),
			api.NewNotified(api.Notification{Number: 2, Kind: "killed", Attention: "context", ProcessName: "db", Summary: "db was stopped", Fact: "db was stopped"}),
			api.NewLagged(2),
		)
	}
	missing := "prochost: some notifications are missing here, for they came faster than they were read: see \"prochost inbox\"\n"
	crash := "crash api: api broke in two lines (api crashed)\n"
	h := &fakeHost{stream: news()}
	assert.Equal(t, result{stdout: crash + missing}, h.typed(t, "listen", "--session", "s1"))
	assert.Equal(t, []any{api.EventsIn{Types: []string{"notification"}, Session: "s1"}}, h.asked)
	assert.Equal(t, crash+"killed db: db was stopped\n"+missing, (&fakeHost{stream: news()}).typed(t, "listen", "--all").stdout)
	got := (&fakeHost{stream: news()}).typed(t, "listen", "--json").stdout
	assert.Regexp(t, `^\{"number":1,.*"summary":"api broke\\nin two lines".*\}\n\{"time":0,"type":"lagged","missed":2\}\n$`, got)
}

func TestEvents(t *testing.T) {
	pid := uint64(41)
	happened := func() *fakeFeed {
		return feedOf(api.NewSnapshot(api.Snapshot{Processes: []api.Info{running("p1", "api", 1)}}), api.NewEnded(ended("p1", "api", 3), nil))
	}
	h := &fakeHost{stream: happened()}
	got := h.typed(t, "events", "--json", "--type", "ended,started", "--since", "41", "--output", "--session", "s")
	assert.Equal(t, 0, got.code)
	assert.Regexp(t, `^\{"time":0,"type":"snapshot",.*\}\n\{"time":0,"type":"ended",.*\}\n$`, got.stdout)
	assert.Equal(t, []any{api.EventsIn{Since: &pid, Types: []string{"ended", "started"}, Output: true, Session: "s"}}, h.asked)
	h = &fakeHost{stream: happened()}
	assert.Equal(t, "api ▸ running, pid 1\napi ✗ ended with exit code 3 after 1s\n", h.typed(t, "events").stdout)
	assert.Equal(t, exitUsage, h.typed(t, "events", "--since", "yesterday").code)
}

func TestInbox(t *testing.T) {
	one := api.Notification{Number: 7, Kind: "crash", Attention: "turn", ProcessName: "api", Summary: "api broke", Fact: "api broke"}
	two := one
	two.Number = 9
	h := &fakeHost{sessions: []api.Session{{ID: "s1", Agent: "pi"}}, inbox: []api.Notification{one, two}}
	take := api.InboxTakeIn{Session: "s1", Max: 100}

	assert.Equal(t, result{stdout: "7 crash api: api broke\n9 crash api: api broke\n"}, h.typed(t, "inbox"))
	assert.Equal(t, []any{take}, h.asked, "nothing is acknowledged")

	h.asked = nil
	take.WaitMs, take.Max = 60_000, 1
	assert.Equal(t, result{stdout: "7 crash api: api broke\n", stderr: "there are more\n"}, h.typed(t, "inbox", "--take", "--max", "1", "--wait", "1m"))
	assert.Equal(t, []any{take, api.InboxAckIn{Session: "s1", UpTo: 7}}, h.asked, "what was shown, and no more")

	h.asked = nil
	assert.Equal(t, result{stdout: "2 notifications acknowledged, 1 left\n"}, h.typed(t, "inbox", "--ack", "8"))
	assert.Equal(t, []any{api.InboxAckIn{Session: "s1", UpTo: 8}}, h.asked)
	assert.Regexp(t, `^\{"notifications":\[\{"number":7,.*\],"more":false\}\n$`, h.typed(t, "inbox", "--json").stdout)

	h.sessions = append(h.sessions, api.Session{ID: "s2", Agent: "claude", Label: "tests"})
	got := h.typed(t, "inbox")
	assert.Equal(t, result{code: 2, stderr: "prochost: there are 2 sessions: name one by --session:\n  s1 pi\n  s2 claude tests\n"}, got)
	h.asked = nil
	h.typed(t, "inbox", "--session", "s2")
	assert.Equal(t, []any{api.InboxTakeIn{Session: "s2", Max: 100}}, h.asked)
	got = (&fakeHost{}).typed(t, "inbox")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "no agent has a session")
	for _, args := range []string{"--ack 3 --take", "--ack x", "--max 0", "extra"} {
		assert.Equal(t, exitUsage, h.typed(t, append([]string{"inbox"}, typedWords(args)...)...).code, args)
	}
}

// What nobody has read is not acknowledged.
func TestInboxWithoutAReader(t *testing.T) {
	h := &fakeHost{sessions: []api.Session{{ID: "s1"}}, inbox: []api.Notification{{Number: 7}}}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	defer w.Close()
	a := &app{stdin: os.Stdin, stdout: w, stderr: os.Stderr, reach: fakeReach{h: h}}
	assert.Equal(t, 0, a.run([]string{"inbox", "--take"}))
	assert.Len(t, h.asked, 1)
}

func TestGraphOfWhatRuns(t *testing.T) {
	h := &fakeHost{
		all: []api.Info{ended("p1", "api", 3), running("p2", "db", 2), declared("api", "backoff", "")},
		status: api.RecipeStatus{Processes: []string{"db", "api", "web"}, Depends: map[string]map[string]string{
			"api": {"db": "ready"}, "web": {"api": "started"},
		}},
	}
	assert.Equal(t, "web\n└─ api (started)  backoff\n   └─ db (ready)  running\n", h.typed(t, "graph").stdout)
	assert.Equal(t, "api            backoff\n└─ db (ready)  running\n", h.typed(t, "graph", "a*").stdout)
	assert.Regexp(t, `^\[\{"name":"db","depends":\{\},"process":\{"id":"p2",.*\}\},\{"name":"api",`, h.typed(t, "graph", "--json").stdout)
	assert.Contains(t, h.typed(t, "graph", "--dot").stdout, `"api" -> "db" [label="ready"];`)
	assert.Contains(t, h.typed(t, "graph", "--mermaid").stdout, `p1 -->|ready| p0`)
	assert.Equal(t, exitUsage, h.typed(t, "graph", "--dot", "--json").code)
	assert.Equal(t, exitUnknownName, h.typed(t, "graph", "wbe").code)
}

func TestHosts(t *testing.T) {
	assert.Equal(t, result{stderr: "no host of yours runs\n"}, through(t, fakeReach{}, "", "hosts"))
	assert.Equal(t, result{stdout: "[]\n"}, through(t, fakeReach{}, "", "hosts", "--json"))
	list := []view.Host{{Project: "/p", State: "gone"}}
	assert.Equal(t, `[{"project":"/p","state":"gone","live":0}]`+"\n", through(t, fakeReach{list: list}, "", "hosts", "--json").stdout)
	assert.Regexp(t, `(?m)^/p +gone `, through(t, fakeReach{list: list}, "", "hosts").stdout)
}

func TestCompletion(t *testing.T) {
	h := &fakeHost{all: []api.Info{ended("p1", "api", 3), running("p2", "api", 2), ended("p3", "job", 0), declared("web", "waiting", "web waits for api")}}
	for args, want := range map[string]string{
		"ps ''":           "api\trunning, pid 2\njob\texited (0)\nweb\tweb waits for api\n:4\n",
		"stop ''":         "api\trunning, pid 2\n:4\n",
		"start ''":        "job\texited (0)\nweb\tweb waits for api\n:4\n",
		"logs api ''":     "job\texited (0)\nweb\tweb waits for api\n:4\n",
		"signal HUP ''":   "api\trunning, pid 2\n:4\n",
		"write api ''":    ":4\n",
		"wait --for ''":   "exit\nready\n:4\n",
		"logs --color ''": "auto\nalways\nnever\n:4\n",
	} {
		got := h.typed(t, append([]string{"__complete"}, typedWords(args)...)...)
		assert.Equal(t, 0, got.code)
		assert.Equal(t, want, got.stdout, args)
	}
	assert.Equal(t, ":4\n", (*fakeHost)(nil).typed(t, "__complete", "stop", "").stdout, "silent without a host")
}

// stuckReach reaches a host that never answers.
type stuckReach struct{ fakeReach }

func (stuckReach) dial(ctx context.Context, _ string) (api.Service, func(), error) {
	time.Sleep(time.Hour)
	return nil, nil, ctx.Err()
}

// A shell does not wait for a host that does not answer.
func TestCompletionIsQuick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := through(t, stuckReach{}, "", "__complete", "stop", "")
		assert.Equal(t, ":4\n", got.stdout)
		assert.Less(t, time.Since(start), time.Second)
		time.Sleep(2 * time.Hour) // what was asked for comes to its end
	})
}
