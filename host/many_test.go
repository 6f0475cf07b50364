package host

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { roles["many"] = hostOfMany }

// many is what an ordinary user saw of a host of many silent processes, and what the host held.
type many struct {
	Before, While     proctest.Usage
	Running, Stopped  int
	Said              bool // one that was started last said what it had to say
	Start, List, Stop time.Duration
	Descriptors       int // that were left
}

// An ordinary user starts many processes, has them listed, and stops them, each by a request of its own.
func TestManyOfAnOrdinaryUserFlat(t *testing.T) {
	t.Parallel()
	n := size(150, 1000, 1000)
	out := proctest.Stage{Ordinary: true, Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, fmt.Sprint("MANY=", n))
	}}.Play(t, "many")
	var got many
	require.NoError(t, json.Unmarshal([]byte(out), &got), out)
	t.Logf("%d processes: %+v", n, got)
	assert.Equal(t, n, got.Running)
	assert.Equal(t, n, got.Stopped)
	assert.True(t, got.Said)
	assert.LessOrEqual(t, got.While.Threads, 40)
	assert.LessOrEqual(t, got.While.Heap-got.Before.Heap, int64(n)*40<<10)
	if n == 1000 && !proctest.Raced {
		assert.LessOrEqual(t, got.While.Resident, int64(60<<20))
	}
	assert.LessOrEqual(t, got.Descriptors, got.Before.Descriptors)
}

func hostOfMany() {
	n, err := strconv.Atoi(variable("MANY"))
	must(err)
	a := act("", FeedOptions{}, func(*actor, api.Event) {}, stay)
	ctx, s := context.Background(), a.Service()
	got := many{Before: proctest.Measure()}
	ids := make([]string, n)
	each := func(do func(i int)) time.Duration { // some at a time, as several clients would
		begun := time.Now()
		var clients sync.WaitGroup
		for c := range 8 {
			clients.Go(func() {
				for i := c; i < n; i += 8 {
					do(i)
				}
			})
		}
		clients.Wait()
		return time.Since(begun)
	}
	got.Start = each(func(i int) {
		info, err := s.Start(ctx, api.StartIn{Name: fmt.Sprint("p", i), Argv: []string{"sleep", "1000"}})
		must(err)
		ids[i] = info.ID
	})
	begun := time.Now()
	all, err := s.List(ctx, api.ListIn{Statuses: []string{"running"}})
	must(err)
	got.List, got.Running = time.Since(begun), len(all)
	got.While = proctest.Measure()

	said, err := s.Start(ctx, api.StartIn{Name: "says", Command: "seq 1 50000; exec sleep 1000"})
	must(err)
	w, err := s.Wait(ctx, api.WaitIn{ID: said.ID, Pattern: "^50000$", Mode: "regex"})
	must(err)
	got.Said = w.What == "matched"

	var mu sync.Mutex
	got.Stop = each(func(i int) {
		out, err := s.Stop(ctx, api.StopIn{ID: ids[i]})
		must(err)
		mu.Lock()
		defer mu.Unlock()
		if out.OK && out.Info.Status == "killed" {
			got.Stopped++
		}
	})
	a.Shutdown(false)
	a.end()
	got.Descriptors = proctest.Descriptors()
	must(json.NewEncoder(os.Stdout).Encode(got))
}
