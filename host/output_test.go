package host

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outputs returns what was shown of the processes, by name, and fails if a line comes after the end of its process.
func outputs(t *testing.T, events []api.Event) map[string][]string {
	t.Helper()
	lines, over := map[string][]string{}, map[string]bool{}
	for _, e := range events {
		switch e := e.(type) {
		case *api.Output:
			assert.False(t, over[e.ID], "%s after the end", tell(e))
			lines[e.Name] = append(lines[e.Name], e.Text)
		case *api.Ended:
			over[e.Process.ID] = true
		}
	}
	return lines
}

// logged returns what the log files of a process hold.
func logged(t *testing.T, s api.Service, name string) (stdout, stderr string) {
	t.Helper()
	files, err := s.LogFiles(t.Context(), api.Ref{ID: name})
	require.NoError(t, err)
	out, err := os.ReadFile(files.Stdout)
	require.NoError(t, err)
	bad, err := os.ReadFile(files.Stderr)
	require.NoError(t, err)
	return string(out), string(bad)
}

// What a process says without a line end, right before it ends, is shown once, before its end, and is in its log as it
// is.
func TestLastWordsWithoutALineEnd(t *testing.T) {
	t.Parallel()
	var recipe strings.Builder
	for i := range 20 {
		fmt.Fprintf(&recipe, "process 'p%d' { command = [[printf 'last words'; printf 'last complaint' >&2; exit 1]] }\n", i)
	}
	r, s := newService(t, recipe.String())
	for i := range 20 {
		name := fmt.Sprint("p", i)
		r.wait(0, "its end", ended(name))
		out, bad := logged(t, s, name)
		assert.Equal(t, "last words", out)
		assert.Equal(t, "last complaint", bad)
	}
	r.h.Shutdown(false)
	for name, lines := range outputs(t, r.finish()) {
		assert.ElementsMatch(t, []string{"last words", "last complaint"}, lines, name)
	}
}

// Of many that write a little and end at the same time, on a machine that has enough to do, no line is lost.
func TestNoLineOfManyIsLost(t *testing.T) {
	t.Parallel()
	const many = 200
	var recipe, want strings.Builder
	for i := range many {
		fmt.Fprintf(&recipe, "job 'p%d' { command = 'seq 1 50' }\n", i)
	}
	var shown []string
	for i := range 50 {
		fmt.Fprintln(&want, i+1)
		shown = append(shown, fmt.Sprint(i+1))
	}
	r, s := newService(t, recipe.String())
	for i := range many {
		r.wait(0, "its end", ended(fmt.Sprint("p", i)))
		out, _ := logged(t, s, fmt.Sprint("p", i))
		assert.Equal(t, want.String(), out)
	}
	r.h.Shutdown(false)
	lines := outputs(t, r.finish())
	assert.Len(t, lines, many)
	for name, got := range lines {
		assert.Equal(t, shown, got, name)
	}
}

// A line that is too long to show is cut with a mark, is whole in the log, and hides nothing that follows it.
func TestLongLineHidesNothing(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "p" {
		command = "head -c 200000 /dev/zero | tr '\\0' x; echo; echo AFTER; exec sleep 1000",
		notify = { logMatches = { { pattern = "AFTER" }, { pattern = "xxx" } } },
	}`)
	r.wait(0, "the match", notified("p", "log_match"))
	r.wait(0, "the line", output("p", "AFTER"))
	out, _ := logged(t, s, "p")
	assert.Equal(t, strings.Repeat("x", 200_000)+"\nAFTER\n", out)
	r.h.Shutdown(false)
	events := r.finish()
	assert.Equal(t, []string{strings.Repeat("x", text.MaxRaw) + text.CutMark, "AFTER"}, outputs(t, events)["p"])
	n, _ := count(events, "log_match")
	assert.Equal(t, 1, n, "a line of more than 10,000 characters is passed over")
}

// What a progress bar has overwritten was never there for a matcher, and a line end of two characters is one.
func TestWhatIsOverwrittenDoesNotMatch(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "p" {
		command = [[printf '10%% error\r'; printf '55%% err'; sleep 0.02; printf 'or\r100%% done\n'; printf 'a\r\nb\r\n'; exec sleep 1000]],
		notify = { logMatches = { { pattern = "error" }, { pattern = "done" }, { pattern = "^a$", mode = "regex" }, { pattern = "^b$", mode = "regex" } } },
	}`)
	r.wait(0, "the last line", output("p", "b"))
	out, _ := logged(t, s, "p")
	assert.Equal(t, "10% error\r55% error\r100% done\na\r\nb\r\n", out)
	r.h.Shutdown(false)
	events := r.finish()
	var matched []string
	for _, n := range notifications(events) {
		if n.Kind == "log_match" {
			matched = append(matched, n.LogMatch.Line)
		}
	}
	assert.Equal(t, []string{"100% done", "a", "b"}, matched)
	assert.Len(t, outputs(t, events)["p"], 3)
}

// Bytes that are no text are in the log as they came, and are shown as what they are not.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "p" { command = [[printf 'a\377\376z\n\303\n\342\202\254\n\0\n'; exec sleep 1000]] }`)
	r.wait(0, "the text", output("p", "€"))
	r.wait(0, "the last line", output("p", "\x00"))
	out, _ := logged(t, s, "p")
	assert.Equal(t, "a\xff\xfez\n\xc3\n€\n\x00\n", out)
	r.h.Shutdown(false)
	assert.Equal(t, []string{"a\uFFFD\uFFFDz", "\uFFFD", "€", "\x00"}, outputs(t, r.finish())["p"])
}
