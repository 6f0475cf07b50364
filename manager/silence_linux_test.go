package manager

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func init() { roles["silence"] = hostOfSilence }

// TestClosedStreamsAreNotReadForEver: a process that has closed both of its streams and lives on costs nothing. A
// reader that does not take the end of a stream for one would run all the time.
func TestClosedStreamsAreNotReadForEver(t *testing.T) {
	t.Parallel()
	used, err := time.ParseDuration(proctest.Stage{}.Play(t, "silence"))
	require.NoError(t, err)
	assert.Less(t, used, silence/4, "processor time within %v of silence", silence)
}

const silence = 600 * time.Millisecond

func hostOfSilence() {
	h := openRole(Options{})
	id := h.start("sh", "-c", fmt.Sprintf("exec >&- 2>&-; sleep %v; exit 11", silence.Seconds()))
	for info, _ := h.Info(id); info.PID == 0; info, _ = h.Info(id) {
		time.Sleep(time.Millisecond)
	}
	before := proctest.Processor()
	end := <-h.ends
	used := proctest.Processor() - before
	if end.End != proc.ExitedWith(11) {
		panic(fmt.Sprint(end))
	}
	h.mustClose()
	fmt.Print(used)
}
