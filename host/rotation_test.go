package host

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process writes more than its log may hold while two follow it, one at its pace and one who looks late. Either gets
// every line once, in order, or a mark with what is gone in its place; there is never more on disk than the cap; and
// the log of another process is what it was.
func TestFollowersOfALogThatIsFull(t *testing.T) {
	t.Parallel()
	const (
		logCap = 400_000
		chunks = 20
		lines  = 200 // of a chunk
		length = 401
	)
	format := "%.0f " + strings.Repeat("x", length-8) // numbers of six digits
	r, s := newService(t, `
process "loud" { command = "while read from to; do seq -f '`+format+`' $from $to; done", auto = false }
process "quiet" { command = "echo said once; exec sleep 1000" }
`, func(o *Options) { o.LogCap = logCap })
	late := r.h.Subscribe(FeedOptions{Output: true})
	defer late.Close()
	r.wait(0, "the quiet one", output("quiet", "said once"))
	// The late one sees what starts after it has come.
	_, err := s.Start(t.Context(), api.StartIn{Name: "loud"})
	require.NoError(t, err)
	before, err := s.LogFiles(t.Context(), api.Ref{ID: "quiet"})
	require.NoError(t, err)
	files, err := s.LogFiles(t.Context(), api.Ref{ID: "loud"})
	require.NoError(t, err)

	at, number := 0, 100_000
	for range chunks {
		last := number + lines - 1
		_, err := s.Write(t.Context(), api.WriteIn{ID: "loud", Input: fmt.Sprintf("%d %d\n", number, last)})
		require.NoError(t, err)
		_, at = r.wait(at, "the last line", output("loud", fmt.Sprint(last, " ")))
		number = last + 1
		assert.LessOrEqual(t, sizeOnDisk(t, files.Stdout), int64(logCap))
	}
	text, err := os.ReadFile(before.Stdout)
	require.NoError(t, err)
	assert.Equal(t, "said once\n", string(text))
	r.h.Shutdown(false)
	var missed []api.Event
	for {
		e, err := late.Next(context.Background())
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		missed = append(missed, e)
	}
	atItsPace := follow(t, r.finish())
	whenLate := follow(t, missed)
	for name, f := range map[string]follower{"at its pace": atItsPace, "late": whenLate} {
		assert.Equal(t, number-1, f.last, name)
		assert.InDelta(t, chunks*lines*length, f.bytes+f.gone, 2, "%s: every byte is shown or told of", name)
	}
	assert.Positive(t, whenLate.gone)
	assert.GreaterOrEqual(t, whenLate.bytes, logCap/2-length, "at least half of the cap is kept")
}

// follower is what somebody has seen of the loud one.
type follower struct{ bytes, gone, last int }

func follow(t *testing.T, events []api.Event) (f follower) {
	t.Helper()
	f.last = 100_000 - 1
	jumped := false
	for _, e := range events {
		o, is := e.(*api.Output)
		if !is || o.Name != "loud" {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(o.Text, "… [%d bytes of output are gone", &n); err == nil {
			f.gone += n
			jumped = true
			continue
		}
		f.bytes += len(o.Text) + 1
		if _, err := fmt.Sscanf(o.Text, "%d ", &n); err != nil || jumped && n <= f.last {
			assert.True(t, jumped, "a piece of a line without a mark before it: %q", o.Text)
			continue
		}
		if !jumped {
			assert.Equal(t, f.last+1, n, "a line is missing, or comes twice, without a mark")
		}
		f.last, jumped = n, false
	}
	return f
}

// sizeOnDisk is how much the files of a stream take together, whatever their numbers.
func sizeOnDisk(t *testing.T, newest string) (n int64) {
	t.Helper()
	files, err := filepath.Glob(strings.TrimSuffix(newest, ".log") + "*.log")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		if info, err := os.Stat(f); err == nil { // it may have been removed meanwhile
			n += info.Size()
		}
	}
	return n
}
