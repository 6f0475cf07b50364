package manager

import (
	"fmt"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/prochost/prochost/manager/proc"
)

func TestEveryExitCodeIsExact(t *testing.T) {
	h := openHost(t)
	ids := map[int]proc.ID{}
	for code := range 256 {
		ids[code] = h.start(h.sh("exit " + strconv.Itoa(code)))
	}
	for code, id := range ids {
		end := h.ended(id)
		assert.Equal(t, proc.ExitedWith(code), end.End)
		assert.Nil(t, end.Stop)
		assert.Empty(t, end.Leftovers)
	}
}

// What the signals do that end nothing.
var (
	ignoredByDefault = []syscall.Signal{syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGURG, syscall.SIGWINCH}
	suspending       = []syscall.Signal{syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU}
)

func TestEverySignalIsExact(t *testing.T) {
	h := openHost(t)
	for s := syscall.Signal(1); s < 32; s++ {
		if slices.Contains(ignoredByDefault, s) || slices.Contains(suspending, s) {
			continue
		}
		t.Run(fmt.Sprint(int(s)), func(t *testing.T) {
			id := h.start(h.argv("sleep", h.token))
			assert.NoError(t, h.Signal(id, s))
			end := h.ended(id)
			assert.Equal(t, proc.EndedBySignal(s, false), end.End)
			assert.Nil(t, end.Stop, "a signal marks nothing")
		})
	}
}

// TestSignalsThatEndNothing: a process that ignores one or stands still by one lives, and its end is that by what
// comes later.
func TestSignalsThatEndNothing(t *testing.T) {
	h := openHost(t)
	for _, s := range slices.Concat(ignoredByDefault, suspending) {
		id := h.start(h.argv("sleep", h.token))
		assert.NoError(t, h.Signal(id, s))
		info, _ := h.Info(id)
		if s == syscall.SIGSTOP { // the others stop nobody whose group has no terminal
			h.await("the process to stand still", func() bool { return stateOf(info.PID) == 'T' })
		}
		assert.Equal(t, proc.Running, info.Status, s)
		assert.NoError(t, h.Signal(id, syscall.SIGKILL))
		assert.Equal(t, proc.EndedBySignal(syscall.SIGKILL, false), h.ended(id).End, s)
	}
}
