package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commandHost runs one command that writes these lines and ends in that way.
func commandHost(end api.Info, lines ...api.Output) *fakeHost {
	var events []api.Event
	for _, l := range lines {
		events = append(events, api.NewOutput(l))
	}
	return &fakeHost{
		stream: feedOf(events...),
		start:  func(api.StartIn) (api.Info, error) { return running("p1", "x", 1), nil },
		wait:   func(api.WaitIn) (api.WaitOut, error) { return api.WaitOut{What: "ended", Info: end}, nil },
		write:  func(in api.WriteIn) (api.WriteOut, error) { return api.WriteOut{Written: len(in.Data)}, nil },
	}
}

func TestRunPassesOnTheCode(t *testing.T) {
	signalled := ended("p1", "x", 0)
	signalled.ExitCode, signalled.Success, signalled.Signal = nil, new(bool), &api.Signal{Name: "SIGSEGV", Number: 11}
	fine := ended("p1", "x", 3)
	yes := true
	fine.Success = &yes
	for _, tt := range []struct {
		end  api.Info
		want int
	}{{ended("p1", "x", 0), 0}, {ended("p1", "x", 42), 42}, {signalled, 139}, {fine, 0}} {
		h := commandHost(tt.end)
		assert.Equal(t, result{code: tt.want}, h.typed(t, "run", "--no-stdin", "--", "x"))
		in := h.asked[0].(api.StartIn)
		assert.Equal(t, "tool", in.CompletionDelivery, "its end is told here and nowhere else")
		assert.Equal(t, "null", in.Stdin)
		assert.Equal(t, []any{api.LogsIn{IDs: []string{"p1"}, Follow: true}, api.WaitIn{ID: "p1"}}, h.asked[1:])
	}
	why := `start "x": no such command: "x"`
	h := commandHost(api.Info{})
	h.start = func(api.StartIn) (api.Info, error) {
		p := ended("p1", "x", -1)
		p.ErrorMessage = &why
		return p, nil
	}
	assert.Equal(t, result{code: 127, stderr: "prochost: x could not be started: no such command: \"x\"\n"}, h.typed(t, "run", "x"))
	assert.Equal(t, exitUsage, h.typed(t, "run").code)
}

// What stands behind the program is its own, with or without --.
func TestRunTakesTheCommandAsItIs(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--no-stdin", "npm", "test", "--watch", "-e"}, {"run", "--no-stdin", "--", "npm", "test", "--watch", "-e"},
	} {
		h := commandHost(ended("p1", "x", 0))
		assert.Equal(t, 0, h.typed(t, args...).code)
		assert.Equal(t, []string{"npm", "test", "--watch", "-e"}, h.asked[0].(api.StartIn).Argv)
	}
}

func TestRunShowsEachStreamWhereItBelongs(t *testing.T) {
	h := commandHost(ended("p1", "x", 0),
		api.Output{Stream: "stdout", Text: "\x1b[31mone\x1b[2J"}, api.Output{Stream: "stderr", Text: "two"}, api.Output{Stream: "stdout", Text: "three"})
	assert.Equal(t, result{stdout: "one\nthree\n", stderr: "two\n"}, h.typed(t, "run", "--no-stdin", "x"))
}

// Where both streams are one file, lines are in the order in which they came.
func TestRunKeepsTheOrderOfBothStreams(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "both"))
	require.NoError(t, err)
	defer f.Close()
	var lines []api.Output
	var want bytes.Buffer
	for i := range 200 {
		stream := []string{"stdout", "stderr"}[i%3%2]
		lines = append(lines, api.Output{Stream: stream, Text: stream})
		want.WriteString(stream + "\n")
	}
	h := commandHost(ended("p1", "x", 0), lines...)
	a := &app{stdin: f, stdout: f, stderr: f, reach: fakeReach{h: h}}
	require.Equal(t, 0, a.run([]string{"run", "--no-stdin", "x"}))
	got, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	assert.Equal(t, want.String(), string(got))
}

// What is read is passed on, in pieces where the command is slow, and its end too.
func TestRunPassesOnWhatIsRead(t *testing.T) {
	h := commandHost(ended("p1", "x", 0))
	h.stream = newFakeFeed() // it ends when all was read
	var mu sync.Mutex
	var took []byte
	h.write = func(in api.WriteIn) (api.WriteOut, error) {
		mu.Lock()
		defer mu.Unlock()
		n := min(len(in.Data), 3)
		if took = append(took, in.Data[:n]...); in.End {
			close(h.stream.events)
		}
		return api.WriteOut{Written: n}, nil
	}
	assert.Equal(t, 0, h.fed(t, "h\xe4llo\n", "run", "cat").code)
	assert.Equal(t, "h\xe4llo\n", string(took))
}

// A signal stops the command, a second one kills it; the code is the command's in any case.
func TestRunObeysSignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := commandHost(ended("p1", "x", 9))
		h.stream = newFakeFeed()
		h.stop = func(api.StopIn) (api.StopOut, error) { return api.StopOut{}, api.Refuse(api.ReasonEnded, "over") }
		null, err := os.Open(os.DevNull)
		require.NoError(t, err)
		defer null.Close()
		a := &app{stdin: null, stdout: null, stderr: null}
		r := &attached{app: a, in: api.StartIn{Stdin: "null"}, signals: make(chan os.Signal, 4)}
		done := make(chan error, 1)
		go func() { done <- r.run(t.Context(), h) }()
		r.signals <- syscall.SIGINT
		synctest.Wait()
		assert.Contains(t, h.asked, api.StopIn{ID: "p1"})
		assert.NotContains(t, h.asked, api.StopIn{ID: "p1", Force: true})
		r.signals <- syscall.SIGTERM
		synctest.Wait()
		assert.Contains(t, h.asked, api.StopIn{ID: "p1", Force: true})
		close(h.stream.events)
		assert.Equal(t, 9, codeOf(<-done))
	})
}

// A command whose reader goes away is stopped, as a pipe would stop it.
func TestRunWithoutAReader(t *testing.T) {
	h := commandHost(ended("p1", "yes", 0), api.Output{Stream: "stdout", Text: "y"})
	h.stop = func(api.StopIn) (api.StopOut, error) { return api.StopOut{OK: true}, nil }
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	defer w.Close()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer stderr.Close()
	a := &app{stdin: os.Stdin, stdout: w, stderr: stderr, reach: fakeReach{h: h}}
	assert.Equal(t, 0, a.run([]string{"run", "--no-stdin", "yes"}))
	assert.Contains(t, h.asked, api.StopIn{ID: "p1"})
	text, err := os.ReadFile(stderr.Name())
	require.NoError(t, err)
	assert.Empty(t, string(text))
}
