package host

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flood is a recipe of fifteen processes with twenty one-shot matchers each, all of which hit at once.
func flood() string {
	var b strings.Builder
	for p := range 15 {
		fmt.Fprintf(&b, "process 'p%d' { command = 'for i in $(seq 1 20); do echo \"<hit $i>\"; done; exec sleep 1000', notify = { logMatches = {\n", p)
		for m := range 20 {
			fmt.Fprintf(&b, "{ pattern = '<hit %d>' },\n", m+1)
		}
		b.WriteString("} } }\n")
	}
	return b.String()
}

func count(events []api.Event, kind string) (n int, last api.Notification) {
	for _, x := range notifications(events) {
		if x.Kind == kind {
			n, last = n+1, x
		}
	}
	return n, last
}

// Of three hundred matches within a window twenty are told, and the shutdown inside the window tells the rest as a count.
func TestMatchesAreLimited(t *testing.T) {
	r := newRig(t, flood(), stay)
	at := 0
	for range 20 {
		_, at = r.wait(at, "a match", func(e api.Event) bool {
			n, ok := e.(*api.Notified)
			return ok && n.Notification.Kind == "log_match"
		})
	}
	for p := range 15 {
		r.wait(0, "the last line", output(fmt.Sprintf("p%d", p), "<hit 20>"))
	}
	r.h.Shutdown(false)
	events := r.finish()
	n, _ := count(events, "log_match")
	assert.Equal(t, 20, n)
	n, summary := count(events, "log_match_suppressed")
	require.Equal(t, 1, n)
	assert.Equal(t, 280, summary.Suppressed)
	assert.Equal(t, "context", summary.Attention)
	n, _ = count(events, "killed")
	assert.Equal(t, 15, n, "lifecycle notifications are never limited")
}

// The same, left alone: one summary, sixty seconds after the first match.
func TestSoakSummaryAtTheCloseOfTheWindow(t *testing.T) {
	if soak() == soakOff {
		t.Skip("takes a minute; PROCHOST_SOAK runs it")
	}
	r := newRig(t, flood(), stay)
	e, at := r.wait(0, "the first match", func(e api.Event) bool { n, ok := e.(*api.Notified); return ok && n.Notification.Kind == "log_match" })
	first := e.Head().Time
	e, _ = r.waitFor(2*time.Minute, at, "the summary", func(e api.Event) bool {
		n, ok := e.(*api.Notified)
		return ok && n.Notification.Kind == "log_match_suppressed"
	})
	assert.Equal(t, 280, e.(*api.Notified).Notification.Suppressed)
	assert.InDelta(t, 60_000, e.Head().Time-first, 2_000)
	r.h.Shutdown(false)
	r.finish()
}

// A matched line is shown before its notification, and the notification before the end.
func TestOrderOfLineMatchAndEnd(t *testing.T) {
	r := newRig(t, `process "p" { command = "echo before; echo oh panic: no; echo after; exit 2", notify = { logMatches = { { pattern = "panic:" } } } }`)
	var got []string
	for _, e := range r.finish() {
		if s := tell(e); !strings.HasPrefix(s, "host") && !strings.HasPrefix(s, "recipe") {
			got = append(got, s)
		}
	}
	at := func(prefix string) int {
		for i, s := range got {
			if strings.HasPrefix(s, prefix) {
				return i
			}
		}
		t.Fatalf("no %q in\n%s", prefix, strings.Join(got, "\n"))
		return 0
	}
	assert.Equal(t, 0, at("started p"))
	assert.Less(t, at(`output p stdout "oh panic: no"`), at("notification p log_match turn"))
	assert.Less(t, at("notification p log_match turn"), at("ended p exited"))
	assert.Less(t, at(`output p stdout "after"`), at("ended p exited"))
	assert.Less(t, at("ended p exited"), at("notification p crash turn"))
}
