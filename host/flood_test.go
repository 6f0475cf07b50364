package host

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() {
	roles["endless"] = hostOfAnEndlessLine
	roles["flood"] = hostOfAFlood
}

// size picks how much a flood brings.
func size(off, short, long int) int {
	return map[soakLength]int{soakOff: off, soakShort: short, soakLong: long}[soak()]
}

// What never ends its line is taken in as fast as it comes, is kept up to the cap of its log, and costs no memory.
func TestEndlessLineIsFlat(t *testing.T) {
	t.Parallel()
	volume := size(16<<20, 200<<20, 1000<<20)
	var got struct {
		Usage   proctest.Usage
		Shown   []int // lengths of the lines
		Kept    int64
		Written int64
		Ends    string
	}
	out := proctest.Stage{Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, fmt.Sprint("VOLUME=", volume))
	}}.Play(t, "endless")
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	t.Logf("%d MB: %+v", volume>>20, got)
	total := int64(volume + len("\nAFTER\n"))
	assert.Equal(t, total, got.Written)
	assert.Equal(t, "x\nAFTER\n", got.Ends)
	if total <= 64<<20 {
		assert.Equal(t, total, got.Kept, "the raw log is whole")
	} else {
		assert.InDelta(t, 48<<20, got.Kept, 16<<20, "at least half of the cap is kept, and no more than it")
	}
	require.Len(t, got.Shown, 2)
	assert.Less(t, got.Shown[0], 33<<10, "a line that is cut")
	assert.Equal(t, len("AFTER"), got.Shown[1])
	assert.Less(t, got.Usage.HeapPeak, int64(16<<20))
}

func hostOfAnEndlessLine() {
	matched := make(chan struct{})
	var shown []int
	a := act(fmt.Sprintf(`process "p" {
		command = "head -c %s /dev/zero | tr '\\0' x; echo; echo AFTER; exec sleep 1000",
		notify = { logMatches = { { pattern = "AFTER" } } },
	}`, variable("VOLUME")), FeedOptions{Output: true}, func(_ *actor, e api.Event) {
		switch e := e.(type) {
		case *api.Output:
			shown = append(shown, len(e.Text))
		case *api.Notified:
			if e.Notification.Kind == "log_match" {
				close(matched)
			}
		}
	}, stay)
	<-matched
	usage := proctest.Measure()
	ctx := context.Background()
	files, err := a.Service().LogFiles(ctx, api.Ref{ID: "p"})
	must(err)
	text, err := os.ReadFile(files.Stdout)
	must(err)
	i, err := a.Service().Get(ctx, api.Ref{ID: "p"})
	must(err)
	sizes := a.logs.get(proc.ID(i.ID)).Sizes()
	a.Shutdown(false)
	a.end()
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"Usage": usage, "Shown": shown, "Kept": sizes[0].Kept, "Written": sizes[0].Written, "Ends": string(text[len(text)-8:]),
	}))
}

// One process writes as fast as it can, and as many matchers as may be look at every line of it: each of them finds the
// one line that it is about. Meanwhile another process, which has been quiet, is heard at once: its match does not wait
// for the end of the flood, for that has none.
func TestFloodHidesNoMatch(t *testing.T) {
	t.Parallel()
	lines := size(100_000, 1_000_000, 2_000_000)
	out := proctest.Stage{Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, fmt.Sprint("LINES=", lines))
	}}.Play(t, "flood")
	var got struct {
		Matched []string
		Quiet   bool
		Usage   proctest.Usage
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	var want []string
	for n := range notify.MaxMatchers {
		want = append(want, fmt.Sprintf("line x%dx", (n+1)*lines/notify.MaxMatchers))
	}
	assert.Equal(t, want, got.Matched)
	assert.True(t, got.Quiet)
	assert.Less(t, got.Usage.HeapPeak, int64(32<<20))
}

func hostOfAFlood() {
	lines, err := strconv.Atoi(variable("LINES"))
	must(err)
	var recipe strings.Builder
	fmt.Fprintf(&recipe, "process 'flood' { command = 'seq -f \"line x%%.0fx\" 1 %d; exec yes', notify = { logMatches = {\n", lines)
	for n := range notify.MaxMatchers {
		fmt.Fprintf(&recipe, "{ pattern = 'x%dx' },\n", (n+1)*lines/notify.MaxMatchers)
	}
	// The limit of a minute is used up by the flood: the quiet one is heard of by its readiness.
	recipe.WriteString("} } }\nprocess 'quiet' { command = 'read x; echo up; exec sleep 1000', ready = { log = 'up' } }\n")
	var matched []string
	all, ready := make(chan struct{}), make(chan struct{})
	a := act(recipe.String(), FeedOptions{}, func(_ *actor, e api.Event) {
		switch e := e.(type) {
		case *api.Notified:
			if e.Notification.Kind == "log_match" {
				if matched = append(matched, e.Notification.LogMatch.Line); len(matched) == notify.MaxMatchers {
					close(all)
				}
			}
		case *api.Changed:
			if e.Process.Name == "quiet" && e.Process.Ready != nil && *e.Process.Ready && e.Process.Status == "running" {
				close(ready)
			}
		}
	}, stay)
	<-all
	_, err = a.Service().Write(context.Background(), api.WriteIn{ID: "quiet", Input: "go\n"})
	must(err)
	<-ready
	usage := proctest.Measure()
	a.Shutdown(false)
	a.end()
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"Matched": matched, "Quiet": true, "Usage": usage}))
}
