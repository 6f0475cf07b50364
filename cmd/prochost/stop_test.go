package main

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
)

func stopHost(h *fakeHost) *fakeHost {
	h.stop = func(in api.StopIn) (api.StopOut, error) {
		p := ended(in.ID, in.ID, 0)
		return api.StopOut{OK: true, Info: p}, nil
	}
	return h
}

func TestStopSelects(t *testing.T) {
	all := []api.Info{
		running("p1", "worker-1", 1), ended("p2", "worker-2", 0), declared("worker-3", "backoff", ""), declared("worker-4", "declared", ""),
		running("p5", "api", 5),
	}
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"worker-*"}, []string{"p1", "worker-3"}},
		{[]string{"worker-2"}, []string{"worker-2"}},
		{[]string{"--all"}, []string{"p1", "p5", "worker-3"}},
		{[]string{"worker-[24]"}, nil},
	} {
		h := stopHost(&fakeHost{all: all})
		got := h.typed(t, append([]string{"stop"}, tt.args...)...)
		assert.Equal(t, 0, got.code, got.stderr)
		var refs []string
		for _, in := range h.asked {
			refs = append(refs, in.(api.StopIn).ID)
		}
		assert.ElementsMatch(t, tt.want, refs, tt.args)
		if tt.want == nil {
			assert.Equal(t, "nothing runs that is to be stopped\n", got.stderr)
		}
	}
	h := stopHost(&fakeHost{all: all})
	assert.Equal(t, exitUnknownName, h.typed(t, "stop", "api", "nobody").code)
	assert.Empty(t, h.asked, "nothing is done if one of the names is unknown")
	assert.Equal(t, result{stderr: "nothing runs that is to be stopped\n"}, stopHost(&fakeHost{}).typed(t, "stop", "--all"))
}

func TestStopPassesOnHow(t *testing.T) {
	h := stopHost(&fakeHost{all: []api.Info{running("p1", "api", 1)}})
	h.kill = func(api.KillIn) (api.StopOut, error) { return api.StopOut{Reason: "timeout"}, nil }
	ms := func(n int64) *int64 { return &n }
	for _, tt := range []struct {
		args string
		want any
	}{
		{"", api.StopIn{ID: "api"}},
		{"--signal INT --grace 1m", api.StopIn{ID: "api", Signal: "INT", GraceMs: ms(60_000)}},
		{"--grace 0s", api.StopIn{ID: "api", GraceMs: ms(0)}},
		{"--grace 10us", api.StopIn{ID: "api", GraceMs: ms(1)}},
		{"--force", api.StopIn{ID: "api", Force: true}},
		{"--no-kill", api.KillIn{ID: "api"}},
		{"--no-kill --signal HUP --grace 2s", api.KillIn{ID: "api", Signal: "HUP", TimeoutMs: ms(2000)}},
	} {
		h.asked = nil
		h.typed(t, append([]string{"stop", "api"}, strings.Fields(tt.args)...)...)
		assert.Equal(t, []any{tt.want}, h.asked, tt.args)
	}
	for args, words := range map[string]string{
		"stop":                          "say what to stop",
		"stop --all api":                "say what to stop",
		"stop api --force --no-kill":    "contradict each other",
		"stop api --force --grace 1s":   "there is no other signal and no grace time",
		"stop api --force --signal INT": "there is no other signal and no grace time",
		"stop api --grace 10":           `--grace is a duration such as 500ms, 5s or 2m, not "10"`,
		"stop api --grace -1s":          `--grace is a duration`,
	} {
		h.asked = nil
		got := h.typed(t, strings.Fields(args)...)
		assert.Equal(t, exitUsage, got.code, args)
		assert.Contains(t, got.stderr, words, args)
		assert.Empty(t, h.asked)
	}
}

func TestStopSaysWhatItHasComeTo(t *testing.T) {
	killed := ended("p1", "api", 0)
	killed.ExitCode, killed.Signal = nil, &api.Signal{Name: "SIGKILL", Number: 9}
	for _, tt := range []struct {
		out  api.StopOut
		want string
		code int
	}{
		{api.StopOut{OK: true, Info: ended("p1", "api", 0)}, "ended with exit code 0 after 1s", 0},
		{api.StopOut{OK: true, Info: killed, Killed: true}, "stopped by SIGKILL after 1s, as its grace time was over", 0},
		{api.StopOut{OK: true, Info: declared("api", "declared", "")}, "does not run", 0},
		{api.StopOut{OK: true, Info: killed, Escaped: []api.Leftover{{PID: 9, Command: "daemon\n-d"}}}, "stopped by SIGKILL after 1s; out of reach: 9 (daemon -d)", 0},
		{api.StopOut{Reason: "timeout", Info: running("p1", "api", 1)}, "still runs: its time to end is over", exitTimeout},
		{api.StopOut{Info: running("p1", "api", 1), Survivors: []api.Leftover{{PID: 8, Command: "nfs"}, {PID: 9, Command: "x"}}}, "could not be ended; still there: 8 (nfs), 9 (x)", 1},
	} {
		h := &fakeHost{all: []api.Info{running("p1", "api", 1)}, stop: func(api.StopIn) (api.StopOut, error) { return tt.out, nil }}
		assert.Equal(t, result{code: tt.code, stdout: "api: " + tt.want + "\n"}, h.typed(t, "stop", "api"))
		assert.Contains(t, h.typed(t, "stop", "api", "--json").stdout, `{"ok":`)
	}
	for out, want := range map[*api.StopOut]string{
		{OK: true, Info: declared("api", "declared", "api was stopped by hand")}: "was stopped by hand",
		{OK: true, Info: killed}: "does not run", // it is the last one, which ended before
	} {
		h := &fakeHost{all: []api.Info{declared("api", "backoff", "")}, stop: func(api.StopIn) (api.StopOut, error) { return *out, nil }}
		assert.Equal(t, result{stdout: "api: " + want + "\n"}, h.typed(t, "stop", "api"))
	}
}

// What depends on others is stopped first, also through something that is not stopped; what is independent, at once.
func TestStopKeepsTheOrder(t *testing.T) {
	for _, failing := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := &fakeHost{
				all: []api.Info{running("p1", "db", 1), running("p2", "web", 2), running("p3", "cron", 3), running("p4", "cron", 4)},
				status: api.RecipeStatus{Depends: map[string]map[string]string{
					"api": {"db": "ready"}, "web": {"api": "ready"}, "cron": {"db": "started"},
				}},
			}
			var mu sync.Mutex
			begun := map[string]time.Duration{}
			start := time.Now()
			h.stop = func(in api.StopIn) (api.StopOut, error) {
				mu.Lock()
				begun[in.ID] = time.Since(start)
				mu.Unlock()
				time.Sleep(map[string]time.Duration{"p1": 10, "p2": 200, "p3": 300, "p4": 100}[in.ID] * time.Millisecond)
				if failing {
					return api.StopOut{}, api.Refuse(api.ReasonInternal, "no")
				}
				return api.StopOut{OK: true, Info: ended(in.ID, in.ID, 0)}, nil
			}
			got := h.typed(t, "stop", "--all")
			assert.Equal(t, map[string]time.Duration{"p2": 0, "p3": 0, "p4": 0, "p1": 300 * time.Millisecond}, begun)
			if failing {
				assert.Equal(t, result{code: 1, stderr: "prochost: db: no\nprochost: web: no\nprochost: cron: no\nprochost: cron: no\n"}, got)
			} else {
				assert.Equal(t, 4, strings.Count(got.stdout, "ended with exit code 0"))
			}
		})
	}
}

// What takes long is said, ever more rarely.
func TestStopShowsWhatItWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakeHost{all: []api.Info{running("p1", "db", 1), running("p2", "api", 2)}}
		h.stop = func(in api.StopIn) (api.StopOut, error) {
			time.Sleep(map[string]time.Duration{"db": 8 * time.Second, "api": 2 * time.Second}[in.ID])
			return api.StopOut{OK: true, Info: ended(in.ID, in.ID, 0)}, nil
		}
		got := h.typed(t, "stop", "db", "api")
		assert.Equal(t, "waiting for db (1s), api (1s)\nwaiting for db (3s)\nwaiting for db (7s)\n", got.stderr)
	})
}
