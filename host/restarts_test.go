package host

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { roles["restarts"] = hostOfRestarts }

// restarts is what a host saw of a process that fails at once and is started again at once.
type restarts struct {
	Starts, Ends, Told int
	Wrong              []string
	Early, Late        proctest.Usage // when a third of the ends had been told, and all
	Logs               int            // files that were left in the end
	Orphaned           bool           // a child was left, dead or alive
}

// A process fails at once and is started again at once, for as long as anybody lets it. Each of its ends is told, with
// its code and after its start; and nothing of the host grows with it.
func TestRestartsStayFlat(t *testing.T) {
	t.Parallel()
	n := map[soakLength]int{soakOff: 300, soakShort: 5_000, soakLong: 100_000}[soak()]
	out := proctest.Stage{Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, fmt.Sprint("RESTARTS=", n))
	}}.Play(t, "restarts")
	var got restarts
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	t.Logf("%d restarts: %+v", n, got)

	assert.Empty(t, got.Wrong)
	assert.GreaterOrEqual(t, got.Ends, n)
	assert.Equal(t, got.Ends, got.Starts)
	assert.Equal(t, got.Ends, got.Told)
	assert.False(t, got.Orphaned)
	assert.LessOrEqual(t, got.Logs, 3*(keepRecords+1))
	// A few instances are on their way while it is measured.
	assert.LessOrEqual(t, got.Late.Descriptors, got.Early.Descriptors+20)
	assert.LessOrEqual(t, got.Late.Goroutines, got.Early.Goroutines+20)
	assert.LessOrEqual(t, got.Late.Threads, got.Early.Threads+5)
	assert.LessOrEqual(t, got.Late.Heap, got.Early.Heap+512<<10)
	if n > 1000 && !proctest.Raced {
		assert.LessOrEqual(t, got.Late.Resident, got.Early.Resident+8<<20)
	}
}

func hostOfRestarts() {
	n, err := strconv.Atoi(variable("RESTARTS"))
	must(err)
	var got restarts
	running := ""
	wrong := func(format string, args ...any) {
		if len(got.Wrong) < 10 {
			got.Wrong = append(got.Wrong, fmt.Sprintf(format, args...))
		}
	}
	a := act(`process "fails" { command = "exit 1", restart = { on = "failure", delay = "0s" } }`, FeedOptions{Output: true}, func(a *actor, e api.Event) {
		switch e := e.(type) {
		case *api.Started:
			if running != "" {
				wrong("%s starts while %s runs", e.Process.ID, running)
			}
			running = e.Process.ID
			got.Starts++
		case *api.Ended:
			p := e.Process
			if running != p.ID {
				wrong("%s ends while %q runs", p.ID, running)
			}
			// The very last one may have been asked to end before it got to it.
			if asked := got.Ends >= n; !asked && (p.ExitCode == nil || *p.ExitCode != 1 || *p.EndReason != "exit") {
				wrong("%s", tell(e))
			}
			running = ""
			switch got.Ends++; got.Ends {
			case n / 3:
				got.Early = proctest.Measure()
			case n:
				got.Late = proctest.Measure()
				a.Shutdown(false)
			}
		case *api.Notified:
			got.Told++
		case *api.Trouble:
			wrong("%s", tell(e))
		}
	})
	<-a.over
	files, err := os.ReadDir(a.opt.LogDir)
	must(err)
	got.Logs = len(files)
	_, err = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
	got.Orphaned = err != syscall.ECHILD
	a.end()
	must(json.NewEncoder(os.Stdout).Encode(got))
}
