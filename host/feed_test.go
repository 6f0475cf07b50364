package host

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a host whose events and output a test writes by hand.
type script struct {
	t *testing.T
	h *Host
	f *Feed
}

func newScript(t *testing.T) script {
	h, err := New(Options{LogDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { h.manager.Close(context.Background()) })
	s := script{t, h, h.Subscribe(FeedOptions{Output: true})}
	t.Cleanup(s.f.Close)
	return s
}

func (s script) emit(e api.Event, name string) {
	id := proc.ID(name)
	s.h.hub.emit(e, time.Now(), id, s.h.logs.written(id))
}

func (s script) start(name string) *logs.Log {
	l, err := s.h.logs.open(proc.ID(name))
	require.NoError(s.t, err)
	s.emit(api.NewStarted(api.Info{ID: name, Name: name}), name)
	s.t.Cleanup(func() { l.Close() })
	return l.(*volume).Log
}

func (s script) changed(name string) {
	s.emit(api.NewChanged(api.Info{Name: name, Status: "x"}), name)
}

func (s script) end(name string) {
	s.emit(api.NewEnded(api.Info{Name: name, Status: "x"}, nil), name)
}

// all returns what the feed shows until it is closed by the hub.
func (s script) all() []string {
	s.h.hub.close()
	var out []string
	for {
		e, err := s.f.Next(s.t.Context())
		if err == io.EOF {
			return out
		}
		require.NoError(s.t, err)
		if o, ok := e.(*api.Output); ok {
			out = append(out, fmt.Sprintf("%s %d %s", o.Name, o.Line, o.Text))
			continue
		}
		out = append(out, tell(e))
	}
}

// A reader that looks late still sees, before each event, what had been written when it happened, and nothing of what
// came after.
func TestFeedShowsOutputWhereItBelongs(t *testing.T) {
	s := newScript(t)
	a := s.start("a")
	b := s.start("b")
	a.Append(proc.Stdout, []byte("1\n"))
	s.changed("a")
	a.Append(proc.Stderr, []byte("2\n"))
	b.Append(proc.Stdout, []byte("other\n"))
	a.Append(proc.Stdout, []byte("3\nlast words"))
	time.Sleep(3 * time.Millisecond) // what comes in another millisecond is a record of its own in the index
	s.end("a")
	a.Append(proc.Stdout, []byte("of a leftover\n"))
	s.changed("b")
	assert.Equal(t, []string{
		"started a", "started b", "a 1 1", "changed a x", "a 2 2", "a 3 3", "a 4 last words", "ended a x", "b 1 other", "changed b x",
	}, s.all())
}

// A reader that comes when the log has been removed is told how much it has missed.
func TestFeedTellsWhatIsGone(t *testing.T) {
	s := newScript(t)
	a := s.start("a")
	a.Append(proc.Stdout, []byte("1\n"))
	s.changed("a")
	a.Append(proc.Stdout, []byte("and 2\n"))
	s.end("a")
	s.start("silent")
	s.end("silent")
	require.NoError(t, a.Close())
	s.h.logs.remove("a")
	s.h.logs.remove("silent")
	assert.Equal(t, []string{
		"started a", "a 0 … [2 bytes of output are gone: the log was removed before they could be shown]", "changed a x",
		"a 0 … [6 bytes of output are gone: the log was removed before they could be shown]", "ended a x",
		"started silent", "ended silent x",
	}, s.all())
}

// A process that writes without end does not keep the lines of another from being shown.
func TestFeedIsFair(t *testing.T) {
	s := newScript(t)
	a, b := s.start("a"), s.start("b")
	a.Append(proc.Stdout, []byte(strings.Repeat("noise\n", 10_000)))
	b.Append(proc.Stdout, []byte("news\n"))
	for range 2 {
		_, err := s.f.Next(t.Context())
		require.NoError(t, err)
	}
	for n := 0; ; n++ {
		e, err := s.f.Next(t.Context())
		require.NoError(t, err)
		if e.(*api.Output).Name == "b" {
			assert.LessOrEqual(t, n, maxBurst)
			break
		}
	}
	s.end("a")
	s.end("b")
	assert.Len(t, s.all(), 10_000-maxBurst+2)
}

// Nor do processes that are silent keep the lines of one that is not from being shown.
func TestFeedBesideSilentProcesses(t *testing.T) {
	for _, silent := range []int{0, 1, 2} {
		s := newScript(t)
		a := s.start("a")
		for n := range silent {
			s.start(fmt.Sprint("silent", n))
		}
		a.Append(proc.Stdout, []byte(strings.Repeat("news\n", 3*maxBurst)))
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		for n := range 1 + silent + 3*maxBurst {
			_, err := s.f.Next(ctx)
			require.NoError(t, err, "%d silent ones, after %d events", silent, n)
		}
	}
}

// Events are numbered without gaps, output is not numbered, and two feeds see the same.
func TestFeedNumbers(t *testing.T) {
	s := newScript(t)
	other := s.h.Subscribe(FeedOptions{})
	defer other.Close()
	a := s.start("a")
	a.Append(proc.Stdout, []byte("x\n"))
	s.changed("a")
	s.end("a")
	s.h.hub.close()
	for want := uint64(1); ; want++ {
		e, err := other.Next(t.Context())
		if err == io.EOF {
			assert.Equal(t, uint64(4), want)
			break
		}
		assert.Equal(t, want, e.Head().Seq)
	}
	assert.Equal(t, []string{"started a", "a 1 x", "changed a x", "ended a x"}, s.all())
}

func TestFeedEndsWithItsContext(t *testing.T) {
	s := newScript(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.f.Next(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

// A reader that does not read is told how much it has missed, and what waits for it is bounded.
func TestFeedOfOneThatDoesNotRead(t *testing.T) {
	var h Host
	f := h.feed(FeedOptions{Bounded: true})
	h.hub.add(f)
	emit := func(n int) {
		for range n {
			h.hub.emit(api.NewTrouble("x", "y"), time.Now(), "", 0)
		}
	}
	emit(maxBehind + 500)
	assert.Equal(t, maxBehind, f.queue.len())
	for n := range maxBehind {
		e, err := f.Next(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, n+1, e.Head().Seq)
	}
	emit(1)
	e, err := f.Next(t.Context())
	require.NoError(t, err)
	assert.Equal(t, api.NewLagged(500), e)
	e, err = f.Next(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, maxBehind+501, e.Head().Seq)
}

// What a reader does not want to see takes no room.
func TestFeedOfSomeTypes(t *testing.T) {
	var h Host
	f := h.feed(FeedOptions{Types: []string{"host"}})
	h.hub.add(f)
	h.hub.emit(api.NewTrouble("x", "y"), time.Now(), "", 0)
	h.hub.emit(api.NewHostState("ready", nil), time.Now(), "", 0)
	assert.Equal(t, 1, f.queue.len())
}
