package examples

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience bounds a run. It is no measure of speed: a run that takes this long hangs.
const patience = 3 * time.Minute

// event is any event of `up --json`.
type event struct {
	api.Header
	Process      *api.Info
	Notification *api.Notification
	State        string // of the host
	What         string // of a trouble
	Message      string // of a trouble
}

// run is an `up --json` that is over.
type run struct {
	events []event
	code   int
	stderr string
}

// up runs `prochost up --json --no-output` with args from the top of the repository, and holds what is true of
// every run: numbers without gaps, events of an instance in order, one load, `host stopped` at the end, and nothing left alive.
func up(t *testing.T, env []string, args ...string) run {
	t.Helper()
	mark := fmt.Sprintf("PROCHOST_EXAMPLES_RUN=%d.%d", os.Getpid(), time.Now().UnixNano())
	code, stdout, stderr := command(t, append(env, mark), append([]string{"up", "--json", "--no-output"}, args...)...)
	r := run{code: code, stderr: stderr}
	lines := bufio.NewScanner(bytes.NewReader(stdout))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e event
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e), "%s", lines.Bytes())
		r.events = append(r.events, e)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, r.events, "no events; stderr:\n%s", stderr)
	for i, e := range r.events {
		assert.EqualValues(t, i+1, e.Seq, "number of event %d (%s)", i, e.Type)
	}
	r.ordered(t)
	assert.Equal(t, 1, r.loads(), "nothing was saved, so nothing is to be loaded again")
	assert.Equal(t, "stopped", r.events[len(r.events)-1].State, "the last event")
	assert.Empty(t, survivors(t, mark), "still alive after the end")
	if t.Failed() {
		t.Logf("stderr:\n%s", stderr)
	}
	return r
}

// command runs prochost in surroundings of its own and returns how it ended.
func command(t *testing.T, env []string, args ...string) (code int, stdout []byte, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, prochost, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Dir = root
	cmd.Env = append(surroundings(t), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		require.NoError(t, cmp.Or(ctx.Err(), err), "prochost %s\nstdout:\n%s\nstderr:\n%s", strings.Join(args, " "), &out, &errs)
	}
	return cmd.ProcessState.ExitCode(), out.Bytes(), errs.String()
}

// surroundings are an environment with empty folders for everything that a program may write to, and with what
// the tools of the examples need.
func surroundings(t *testing.T) []string {
	home := t.TempDir()
	env := []string{"HOME=" + home, "GOWORK=off", "GORACE=atexit_sleep_ms=0", "TMPDIR=" + filepath.Join(home, "tmp")}
	require.NoError(t, os.Mkdir(filepath.Join(home, "tmp"), 0o700))
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"} {
		env = append(env, name+"="+filepath.Join(home, strings.ToLower(name)))
	}
	for _, name := range []string{"PATH", "GOCACHE", "GOMODCACHE", "GOPATH"} {
		value := os.Getenv(name)
		if name != "PATH" {
			out, err := exec.Command("go", "env", name).Output()
			require.NoError(t, err)
			value = strings.TrimSpace(string(out))
		}
		env = append(env, name+"="+value)
	}
	return env
}

// story is what happened, a short line for each event that a reader of the stack would mention.
func (r run) story() (lines []string) {
	ready := map[string]bool{}
	for _, e := range r.events {
		switch p := e.Process; {
		case e.Type == "started":
			lines = append(lines, p.Name+" starts")
		case e.Type == "changed" && p.Ready != nil && *p.Ready && !ready[p.ID]:
			ready[p.ID] = true
			lines = append(lines, p.Name+" is ready")
		case e.Type == "ended" && p.Signal != nil:
			lines = append(lines, p.Name+" ends by "+p.Signal.Name)
		case e.Type == "ended":
			lines = append(lines, fmt.Sprintf("%s ends with %d", p.Name, *p.ExitCode))
		case e.Type == "notification":
			lines = append(lines, e.Notification.ProcessName+" tells "+told(e.Notification))
		case e.Type == "trouble":
			lines = append(lines, "trouble: "+e.What+": "+e.Message)
		}
	}
	return lines
}

// told writes a notification as its kind, its attention and its summary.
func told(n *api.Notification) string {
	return fmt.Sprintf("%s (%s): %s", n.Kind, n.Attention, n.Summary)
}

// last is what the last event about the process called name says of it.
func (r run) last(name string) (p api.Info) {
	for _, e := range r.events {
		if e.Process != nil && e.Process.Name == name {
			p = *e.Process
		}
	}
	return p
}

// notifications are those about the process called name, in order.
func (r run) notifications(name string) (all []*api.Notification) {
	for _, e := range r.events {
		if n := e.Notification; n != nil && n.ProcessName == name {
			all = append(all, n)
		}
	}
	return all
}

// count is how many notifications there are in all.
func (r run) count() (n int) {
	for _, e := range r.events {
		if e.Notification != nil {
			n++
		}
	}
	return n
}

// inOrder holds that each of want is a line of the story, or the beginning of one, and in this order; other lines
// may stand between them.
func (r run) inOrder(t *testing.T, want ...string) {
	t.Helper()
	story := r.story()
	rest := story
	for _, w := range want {
		i := 0
		for i < len(rest) && !strings.HasPrefix(rest[i], w) {
			i++
		}
		if i == len(rest) {
			t.Errorf("%q does not come where it should in\n\t%s", w, strings.Join(story, "\n\t"))
			return
		}
		rest = rest[i+1:]
	}
}

// ordered holds that of each instance started comes first and ended once, with nothing but notifications behind it.
func (r run) ordered(t *testing.T) {
	t.Helper()
	seen := map[string][]string{}
	for _, e := range r.events {
		if e.Process != nil {
			seen[e.Process.ID] = append(seen[e.Process.ID], e.Type)
		}
	}
	for id, types := range seen {
		assert.Equal(t, "started", types[0], "%s: %v", id, types)
		assert.Equal(t, len(types)-1, slices.Index(types, "ended"), "%s: %v", id, types)
	}
}

// loads is how often the recipe was loaded.
func (r run) loads() (n int) {
	for _, e := range r.events {
		if e.Type == "recipe" {
			n++
		}
	}
	return n
}

// never holds that no line of the story begins with line.
func (r run) never(t *testing.T, line string) {
	t.Helper()
	for _, l := range r.story() {
		assert.False(t, strings.HasPrefix(l, line), "%q must not happen", l)
	}
}
