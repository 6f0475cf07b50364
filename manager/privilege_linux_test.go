package manager

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func init() {
	roles["unprivileged"] = hostOfAPrivilegedChild
	roles["privileged"] = childThatBecomesRoot
}

// TestMemberThatBelongsToRoot stops a process of an ordinary user that has started a program which becomes root, as
// ping or sudo do. The system says that a signal to the group has been sent if it reached anybody; so a stop that
// believed it would call gone what lives.
func TestMemberThatBelongsToRoot(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		return // only root can make such a program
	}
	dir, err := os.MkdirTemp("", "manager-test-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, os.Chmod(dir, 0o777))
	var st unix.Statfs_t
	require.NoError(t, unix.Statfs(dir, &st))
	if st.Flags&unix.ST_NOSUID != 0 {
		t.Skip("no program becomes root in " + dir)
	}
	program := filepath.Join(dir, "program")
	becomesRoot(t, program)
	got := proctest.Stage{Ordinary: true, Change: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, "PROGRAM="+program, "GATE="+filepath.Join(dir, "gate"))
	}}.Play(t, "unprivileged")
	assert.Equal(t, "stopped: false timeout\nsurvivors: program\nstatus: terminate_timeout\nlater: killed\nends: 0\n", got)
}

// becomesRoot makes a copy of this program that belongs to root whoever runs it.
func becomesRoot(t *testing.T, path string) {
	from, err := os.Open("/proc/self/exe")
	require.NoError(t, err)
	defer from.Close()
	to, err := os.Create(path)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	require.NoError(t, os.Chmod(path, 0o755|os.ModeSetuid))
}

func hostOfAPrivilegedChild() {
	gate, program := os.Getenv("GATE"), os.Getenv("PROGRAM")
	if err := syscall.Mkfifo(gate, 0o666); err != nil {
		panic(err)
	}
	h := openRole(Options{})
	id := h.start("sh", "-c", fmt.Sprintf("%s=privileged GATE=%s %s & exec sleep 60", proctest.RoleVar, gate, program))
	for !strings.Contains(h.output[id].text(proc.Stdout), "root") {
		time.Sleep(time.Millisecond)
	}
	r, err := h.Stop(context.Background(), id, proc.StopRequest{Spec: proc.StopSpec{Grace: 50 * time.Millisecond}})
	if err != nil {
		panic(err)
	}
	fmt.Println("stopped:", r.OK, r.Reason)
	var names []string
	for _, s := range r.Survivors {
		names = append(names, filepath.Base(s.Command))
	}
	fmt.Println("survivors:", strings.Join(names, " "))
	fmt.Println("status:", r.Info.Status)
	if err := os.WriteFile(gate, nil, 0); err != nil { // it may go
		panic(err)
	}
	info := r.Info
	for info.Status.Live() {
		time.Sleep(time.Millisecond)
		info, _ = h.Info(id)
	}
	fmt.Println("later:", info.Status)
	fmt.Println("ends:", len(h.ends))
	h.mustClose()
}

// childThatBecomesRoot cannot be signalled by whoever has started it, and ends when its gate is opened.
func childThatBecomesRoot() {
	if err := syscall.Setuid(0); err != nil {
		panic(err)
	}
	fmt.Println("root")
	if _, err := os.ReadFile(os.Getenv("GATE")); err != nil {
		panic(err)
	}
}
