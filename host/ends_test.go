package host

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One process for each way to end, under every combination of the three settings: the notifications are exactly those
// of the rules, written out here once more and independently of the code.
func TestEveryEndUnderEverySetting(t *testing.T) {
	type way struct {
		name, body string
		kind       string
		setting    int // which of onSuccess, onFailure, onKilled concerns it
		signal     syscall.Signal
		status     string
		reason     string
		code       *int
		stopped    bool
	}
	code := func(n int) *int { return &n }
	ways := []way{
		{name: "exit0", body: `command = "exit 0"`, kind: "success", setting: 0, status: "exited", reason: "exit", code: code(0)},
		{name: "exit3", body: `command = "exit 3"`, kind: "crash", setting: 1, status: "exited", reason: "exit", code: code(3)},
		{name: "nocommand", body: `command = { "./there-is-no-such-command" }`, kind: "crash", setting: 1, status: "exited", reason: "spawn_error", code: code(-1)},
		{name: "nocwd", body: `command = "exit 0", cwd = "no-such-folder"`, kind: "crash", setting: 1, status: "exited", reason: "spawn_error", code: code(-1)},
		{name: "segv", body: `command = "kill -SEGV $$"`, kind: "failure", setting: 1, status: "exited", reason: "signal"},
		{name: "outside", body: `command = "exec sleep 1000"`, kind: "killed", setting: 2, signal: syscall.SIGKILL, status: "killed", reason: "signal"},
		{name: "ours", body: `command = "exec sleep 1000"`, kind: "killed", setting: 2, status: "killed", reason: "signal", stopped: true},
	}
	values := []string{"", "turn", "context", "ignore"}
	defaults := []string{"turn", "turn", "context"}
	fields := []string{"onSuccess", "onFailure", "onKilled"}

	type expectation struct{ kind, attention, status, reason string }
	want := map[string]expectation{}
	byName := map[string]way{}
	var recipe strings.Builder
	for _, w := range ways {
		for s := range values {
			for f := range values {
				for k := range values {
					set := []string{values[s], values[f], values[k]}
					name := fmt.Sprintf("%s-%d%d%d", w.name, s, f, k)
					var notify []string
					for i, v := range set {
						if v != "" {
							notify = append(notify, fmt.Sprintf("%s = %q", fields[i], v))
						}
					}
					fmt.Fprintf(&recipe, "process %q { %s, notify = { %s } }\n", name, w.body, strings.Join(notify, ", "))
					byName[name] = w
					attention := set[w.setting]
					if attention == "" {
						attention = defaults[w.setting]
					}
					switch {
					case w.stopped:
						attention = "context"
					case attention == "ignore" && w.setting == 1:
						attention = "context"
					case attention == "ignore":
						continue
					}
					want[name] = expectation{w.kind, attention, w.status, w.reason}
				}
			}
		}
	}

	r := newRig(t, recipe.String(), stay)
	at := 0
	outstanding := map[string]bool{}
	for name, w := range byName {
		if w.stopped || w.signal != 0 {
			outstanding[name] = true
		}
	}
	pids := map[string]int{}
	for len(outstanding) > 0 {
		var e api.Event
		e, at = r.wait(at, "a start", func(e api.Event) bool { _, ok := e.(*api.Started); return ok })
		p := e.(*api.Started).Process
		delete(outstanding, p.Name)
		if p.PID != nil {
			pids[p.Name] = *p.PID
		}
	}
	for name, w := range byName {
		if w.signal != 0 {
			require.NoError(t, syscall.Kill(pids[name], w.signal))
		}
	}
	for name, w := range byName {
		if !w.stopped {
			r.wait(0, "the end of "+name, ended(name))
		}
	}
	r.h.Shutdown(false)
	events := r.finish()

	got := map[string]expectation{}
	number := uint64(0)
	for _, n := range notifications(events) {
		number++
		assert.Equal(t, number, n.Number, "numbers rise without gaps")
		_, twice := got[n.ProcessName]
		assert.False(t, twice, "%s is told twice", n.ProcessName)
		got[n.ProcessName] = expectation{n.Kind, n.Attention, n.Status, n.EndReason}
		if n.Attention == "turn" {
			assert.True(t, n.TriggerTurn)
			assert.Equal(t, "steer", n.DeliverAs)
		} else {
			assert.False(t, n.TriggerTurn)
			assert.Equal(t, "nextTurn", n.DeliverAs)
		}
		assert.Equal(t, byName[n.ProcessName].code, n.ExitCode, n.ProcessName)
	}
	assert.Equal(t, want, got)

	ends := map[string]int{}
	for _, e := range events {
		switch e := e.(type) {
		case *api.Ended:
			ends[e.Process.Name]++
		case *api.Started:
			assert.NotEqual(t, "spawn_error", byName[e.Process.Name].reason, "what never ran is not started")
		}
	}
	for name := range byName {
		assert.Equal(t, 1, ends[name], "ends of %s", name)
	}
}
