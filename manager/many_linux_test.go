package manager

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func init() { roles["many"] = hostOfMany }

// many is what a host of many silent processes saw.
type many struct {
	Before, While proctest.Usage
	Listed        int // that were running, in the order of their starts
	Shrunken      int // pipes that got less room than usual
	Passed, Taken int // bytes that went through such pipes, from a process and to one
	Ends          int
	Sound         bool // all of them asked for, by one signal
}

// TestManyFlat runs so many processes that an ordinary user's share of pipe buffers, 64 MiB, is used up: the pipes
// of the last ones hold a page or two. There is no thread for each, little memory, and nothing stalls.
func TestManyFlat(t *testing.T) {
	t.Parallel()
	n := 400
	if os.Getenv("PROCHOST_SOAK") != "" {
		n = 1000
	}
	out := proctest.Stage{Ordinary: true, Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, fmt.Sprint("MANY=", n))
	}}.Play(t, "many")
	var got many
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	t.Logf("%d processes: %+v", n, got)

	assert.Equal(t, n, got.Listed)
	assert.GreaterOrEqual(t, got.Before.Threads, spareThreads, "threads made beforehand")
	assert.LessOrEqual(t, got.While.Threads, 40)
	assert.LessOrEqual(t, got.While.Descriptors-got.Before.Descriptors, 4*n+10)
	assert.LessOrEqual(t, got.While.Heap-got.Before.Heap, int64(n)*20<<10)
	if n == 1000 && !proctest.Raced {
		assert.LessOrEqual(t, got.While.Resident, int64(60<<20))
	}
	assert.Positive(t, got.Shrunken, "otherwise this is no test")
	assert.Equal(t, through, got.Passed)
	assert.Equal(t, through, got.Taken)
	assert.Equal(t, n+2, got.Ends)
	assert.True(t, got.Sound)
}

// through is how many bytes are sent through pipes that hold little.
const through = 300_000

func hostOfMany() {
	n, err := strconv.Atoi(os.Getenv("MANY"))
	if err != nil {
		panic(err)
	}
	h := openRole(Options{OwnsOrphans: true})
	got := many{Before: proctest.Measure(), Sound: true}
	var ids []proc.ID
	for range n {
		ids = append(ids, h.start("sleep", "60"))
	}
	for _, id := range ids {
		for info, _ := h.Info(id); info.PID == 0 && info.Status.Live(); info, _ = h.Info(id) {
			time.Sleep(time.Millisecond)
		}
	}
	for i, info := range h.List() {
		if info.Status == proc.Running && info.ID == ids[i] {
			got.Listed++
		}
	}
	got.While = proctest.Measure()
	got.Shrunken = shrunkenPipes()

	got.Passed = len(h.run("sh", "-c", fmt.Sprintf("head -c %d /dev/zero | tr '\\0' x", through)))
	reads := h.start("cat")
	for text, taken := strings.Repeat("x", through), 0; taken < through; got.Taken = taken {
		k, err := h.Write(context.Background(), reads, []byte(text[taken:]), false)
		if taken += k; err != nil && err != ErrStdinFull {
			panic(err)
		}
	}
	for len(h.output[reads].text(proc.Stdout)) < through {
		time.Sleep(time.Millisecond)
	}
	h.mustClose()
	got.Ends = 1 // of what run has run
	for len(h.ends) > 0 {
		e := <-h.ends
		got.Ends++
		got.Sound = got.Sound && e.Stop != nil && e.End == proc.EndedBySignal(unix.SIGTERM, true)
	}
	if err := json.NewEncoder(os.Stdout).Encode(got); err != nil {
		panic(err)
	}
}

// shrunkenPipes counts the pipes of this process that hold less than pipes do.
func shrunkenPipes() (n int) {
	fds, _ := filepath.Glob("/proc/self/fd/*")
	for _, path := range fds {
		fd, _ := strconv.Atoi(filepath.Base(path))
		if size, err := unix.FcntlInt(uintptr(fd), unix.F_GETPIPE_SZ, 0); err == nil && size < 64<<10 {
			n++
		}
	}
	return n
}
