package manager

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func init() { roles["silence"] = hostOfSilence }

// TestClosedStreamsAreNotReadForEver: a process that has closed both of its streams and lives on costs nothing. A
// reader that did not take the end of a stream for one would run all the time, and so be given as much of the
// processor as a program beside it that does nothing else.
func TestClosedStreamsAreNotReadForEver(t *testing.T) {
	t.Parallel()
	var used, share time.Duration
	_, err := fmt.Sscan(proctest.Stage{}.Play(t, "silence"), &used, &share)
	require.NoError(t, err)
	assert.Less(t, used, max(share/3, 50*time.Millisecond), "processor time; %v could be had", share)
}

func hostOfSilence() {
	h := openRole(Options{})
	id := h.start("sh", "-c", "exec >&- 2>&-; sleep 0.4; exit 11")
	for info, _ := h.Info(id); info.PID == 0; info, _ = h.Info(id) {
		time.Sleep(time.Millisecond)
	}
	beside := exec.Command("sh", "-c", "while :; do :; done")
	if err := beside.Start(); err != nil {
		panic(err)
	}
	before := proctest.Processor()
	end := <-h.ends
	used := proctest.Processor() - before
	beside.Process.Kill()
	beside.Wait()
	if end.End != proc.ExitedWith(11) {
		panic(fmt.Sprint(end))
	}
	h.mustClose()
	fmt.Println(int64(used), int64(beside.ProcessState.UserTime()+beside.ProcessState.SystemTime()))
}
