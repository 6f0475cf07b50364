package manager

import (
	"fmt"
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

func TestEverySignalIsExact(t *testing.T) {
	h := openHost(t)
	for s := syscall.Signal(1); s < 32; s++ {
		switch s {
		case syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGURG, syscall.SIGWINCH: // ignored by default
			continue
		case syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU: // they stop
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
