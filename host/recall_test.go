package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { roles["doomed"] = doomedHost }

// doomedHost is a host that says which session it has opened and then runs until somebody kills it.
func doomedHost() {
	dir := variable("DOOMED")
	h, err := New(Options{
		Recipe: filepath.Join(dir, "prochost.lua"), Env: os.Environ(), Shell: []string{"/bin/sh", "-c"},
		LogDir: filepath.Join(dir, "logs"), JournalDir: filepath.Join(dir, "journal"), Stay: true,
	})
	must(err)
	go h.Run(context.Background())
	s := h.Service()
	session, err := s.SessionOpen(context.Background(), api.SessionOpenIn{Agent: "test"})
	must(err)
	for range 2 {
		_, err = s.InboxTake(context.Background(), api.InboxTakeIn{Session: session.ID, WaitMs: 60_000})
		must(err)
	}
	_, err = s.Wait(context.Background(), api.WaitIn{ID: "stays", Pattern: "up"})
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(session))
	select {}
}

// A host that is killed leaves nothing behind that the next one does not know of: what it ran is ended and told, its
// sessions go on with what they have not acknowledged, under the same numbers, and its numbers go on after its own.
func TestKilledHostIsFollowed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recipe := `
process "fails" { command = "exit 3" }
process "stays" { command = "echo up; exec sleep 1000" }`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prochost.lua"), []byte(recipe), 0o600))
	marker := "PROCHOST_TEST=doomed" + filepath.Base(dir) + fmt.Sprint(time.Now().UnixNano())
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), proctest.RoleVar+"=doomed", "DOOMED="+dir, marker, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var session api.Session
	require.NoError(t, json.NewDecoder(out).Decode(&session))
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()

	r := newRig(t, "", stay, func(o *Options) {
		o.Recipe, o.Project, o.JournalDir = "", dir, filepath.Join(dir, "journal")
	})
	r.marker = marker
	s := r.h.Service()
	in, err := s.InboxTake(t.Context(), api.InboxTakeIn{Session: session.ID, After: 2, WaitMs: 60_000})
	require.NoError(t, err)
	require.NotEmpty(t, in.Notifications)
	in, err = s.InboxTake(t.Context(), api.InboxTakeIn{Session: session.ID})
	require.NoError(t, err)
	var told []string
	for i, n := range in.Notifications {
		assert.EqualValues(t, i+1, n.Number, "none is missing and none comes twice")
		told = append(told, n.Kind+" "+n.ProcessName+" "+n.Attention)
	}
	assert.Equal(t, []string{"crash fails turn", "killed stays context", "host_restarted  context"}, told)
	assert.Contains(t, in.Notifications[2].Summary, "stays")

	all, err := s.List(t.Context(), api.ListIn{})
	require.NoError(t, err)
	require.Len(t, all, 2)
	byName := map[string]api.Info{all[0].Name: all[0], all[1].Name: all[1]}
	assert.Equal(t, 3, *byName["fails"].ExitCode)
	assert.Equal(t, "killed", byName["stays"].Status)

	ack, err := s.InboxAck(t.Context(), api.InboxAckIn{Session: session.ID, UpTo: 3})
	require.NoError(t, err)
	assert.Zero(t, ack.Pending)
	r.h.Shutdown(false)
	r.finish()

	// The third host finds everything told and acknowledged, and the records.
	third := newRig(t, "", stay, func(o *Options) {
		o.Recipe, o.Project, o.JournalDir = "", dir, filepath.Join(dir, "journal")
	})
	s = third.h.Service()
	sessions, err := s.SessionList(t.Context(), api.Nothing{})
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	assert.Equal(t, session.ID, sessions[0].ID)
	assert.EqualValues(t, 3, sessions[0].Last)
	assert.Zero(t, sessions[0].Pending)
	_, err = s.Clear(t.Context(), api.ClearIn{})
	require.NoError(t, err)
	i, err := s.Start(t.Context(), api.StartIn{Command: "exit 1", Session: session.ID})
	require.NoError(t, err)
	in, err = s.InboxTake(t.Context(), api.InboxTakeIn{Session: session.ID, WaitMs: 60_000})
	require.NoError(t, err)
	require.Len(t, in.Notifications, 1)
	assert.EqualValues(t, 4, in.Notifications[0].Number)
	assert.Equal(t, i.ID, in.Notifications[0].ProcessID)
	for _, e := range third.notifications() {
		assert.NotEqual(t, "host_restarted", e.Kind, "nothing was left behind")
	}
}

// No value of an environment is written down.
func TestJournalHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRig(t, "", stay, func(o *Options) {
		o.Recipe, o.Project, o.JournalDir = "", dir, filepath.Join(dir, "journal")
		o.Env = append(o.Env, "OUTER=opensesame")
	})
	s := r.h.Service()
	_, err := s.Start(t.Context(), api.StartIn{Name: "p", Command: "exit 1", Env: map[string]string{"INNER": "opensesame"}})
	require.NoError(t, err)
	r.wait(0, "its end", ended("p"))
	r.h.Shutdown(false)
	r.finish()
	files := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "journal"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files++
		assert.NotContains(t, string(b), "opensesame", path)
		assert.True(t, len(b) == 0 || strings.Contains(string(b), "p"), path)
		return err
	}))
	assert.NotZero(t, files)
}
