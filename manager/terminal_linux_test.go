package manager

import (
	"os/exec"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

// TestTerminalsAreGivenBack counts what a host might lose with each.
func TestTerminalsAreGivenBack(t *testing.T) {
	h := openHost(t)
	before := proctest.Descriptors()
	for i := range 60 {
		spec := h.tty("echo x")
		if i%3 == 0 {
			spec = h.argv("/no/such/program")
			spec.PTY = true
		}
		h.ended(h.start(spec))
	}
	h.await("the descriptors to be closed", func() bool { return proctest.Descriptors() == before })
}

func TestTerminalIsAdopted(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	spec := h.tty("trap 'stty size' WINCH; echo ready; (setsid env -i sh -c 'echo another; exec $nap' &); cat >/dev/null; echo over; while :; do sleep 0.01; done")
	cmd := exec.Command("/bin/sh", "-c", spec.Command)
	cmd.Env, cmd.Dir = spec.Env, "/"
	ours, err := pty.Start(cmd)
	require.NoError(t, err)
	who, err := IdentityOf(cmd.Process.Pid)
	require.NoError(t, err)
	a := Adoption{Spec: proc.Spec{Name: "adopted", Command: spec.Command, Dir: "/", PTY: true}, Identity: who, Stdin: ours}
	a.Output[proc.Stdout] = ours
	id := h.adopt(a)
	h.says(id, "another\r\n")
	assert.NoError(t, h.Resize(id, 7, 8))
	_, err = h.Write(t.Context(), id, nil, true)
	assert.NoError(t, err)
	h.says(id, "over\r\n")
	h.says(id, "7 8\r\n")
	info, _ := h.Info(id)
	assert.True(t, info.PTY)
	assert.True(t, h.stop(id, proc.StopRequest{}).OK)
	h.nothingSurvives()
}
