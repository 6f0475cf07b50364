package host

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Every exit code, and every signal that ends a process: each is told with exactly that, and as its kind.
func TestEveryCodeAndSignalIsTold(t *testing.T) {
	t.Parallel()
	var recipe strings.Builder
	for code := range 256 {
		fmt.Fprintf(&recipe, "job 'code-%d' { command = 'exit %d', notify = { onSuccess = 'context' } }\n", code, code)
	}
	signals := map[string]syscall.Signal{}
	for n := syscall.Signal(1); n < 32; n++ {
		switch n {
		case syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGURG, syscall.SIGWINCH: // ignored by default
		case syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU: // they end nothing
		default:
			name := fmt.Sprint("signal-", int(n))
			signals[name] = n
			fmt.Fprintf(&recipe, "process '%s' { command = 'exec sleep 1000' }\n", name)
		}
	}
	r := newRig(t, recipe.String(), stay)
	for name, n := range signals {
		e, _ := r.wait(0, "its start", started(name))
		require.NoError(t, syscall.Kill(*e.(*api.Started).Process.PID, n))
	}
	told := map[string]api.Notification{}
	for at := 0; len(told) < 256+len(signals); {
		var e api.Event
		e, at = r.wait(at, "an end", func(e api.Event) bool { _, is := e.(*api.Notified); return is })
		n := e.(*api.Notified).Notification
		told[n.ProcessName] = n
	}
	for code := range 256 {
		n := told[fmt.Sprint("code-", code)]
		kind := "crash"
		if code == 0 {
			kind = "success"
		}
		assert.Equal(t, kind, n.Kind, code)
		assert.Equal(t, code, *n.ExitCode)
		assert.Nil(t, n.Signal)
		assert.Equal(t, "exit", n.EndReason)
	}
	own := []syscall.Signal{syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGSYS}
	for name, s := range signals {
		n := told[name]
		kind := "killed"
		if slices.Contains(own, s) {
			kind = "failure"
		}
		assert.Equal(t, kind, n.Kind, name)
		assert.Nil(t, n.ExitCode, name)
		assert.Equal(t, unix.SignalName(s), n.Signal.Name)
		assert.Equal(t, int(s), n.Signal.Number)
		assert.Equal(t, "signal", n.EndReason, name)
	}
}
