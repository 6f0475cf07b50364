package notify

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The core's own line for every kind of end, as a text that can be read and reviewed.
func TestFacts(t *testing.T) {
	start := time.Unix(1_000_000_000, 0)
	var b strings.Builder
	line := func(what string, n Notification) { fmt.Fprintf(&b, "%-28s %s\n", what, n.Fact()) }
	end := func(what string, e proc.End, change ...func(*proc.Ended, *Circumstances)) {
		ended := proc.Ended{
			Info: proc.Info{ID: "proc_x", Name: "api", PID: 7, Status: e.Status(), End: e, Started: start, Ended: start.Add(2100 * time.Millisecond)},
			End:  e,
		}
		c := Circumstances{At: ended.Info.Ended}
		if e.Reason() == proc.SpawnFailed || e.Reason() == proc.NoPID {
			ended.Info.PID = 0
		}
		for _, f := range change {
			f(&ended, &c)
		}
		n, _ := Decide(ended, DefaultPolicy(), c)
		line(what, n)
	}
	stop := func(by proc.Cause) func(*proc.Ended, *Circumstances) {
		return func(e *proc.Ended, _ *Circumstances) { e.Stop = &proc.StopRequest{By: by} }
	}

	end("exit 0", proc.ExitedWith(0))
	end("exit 3, a success", proc.ExitedWith(3, 3))
	end("exit 3", proc.ExitedWith(3))
	end("no such command", proc.NeverRan(fmt.Errorf("start \"api\": %w: \"go\" is not in the PATH", proc.ErrNoCommand)))
	end("no pid", proc.HadNoPID())
	end("lost", proc.Vanished(false))
	end("segfault", proc.EndedBySignal(syscall.SIGSEGV, false))
	end("killed from outside", proc.EndedBySignal(syscall.SIGKILL, false))
	end("out of memory", proc.EndedBySignal(syscall.SIGKILL, false), func(e *proc.Ended, _ *Circumstances) { e.OutOfMemory = true })
	for by := range proc.Cause(proc.NumCauses) {
		end("stopped: "+by.String(), proc.EndedBySignal(syscall.SIGTERM, true), stop(by))
	}
	end("exit 0 under a stop", proc.ExitedWith(0), stop(proc.ByUser))
	end("exit 143 under a stop", proc.ExitedWith(143), stop(proc.ByShutdown))
	end("restarts", proc.ExitedWith(1), func(_ *proc.Ended, c *Circumstances) { c.WillRestart, c.RestartDelay = true, 500*time.Millisecond })
	end("restarts at once", proc.ExitedWith(1), func(_ *proc.Ended, c *Circumstances) { c.WillRestart = true })
	end("gave up", proc.ExitedWith(1), func(_ *proc.Ended, c *Circumstances) { c.GaveUp, c.Restarts = true, 5 })
	end("gave up at once", proc.ExitedWith(1), func(_ *proc.Ended, c *Circumstances) { c.GaveUp = true })
	end("blocks", proc.ExitedWith(1), func(_ *proc.Ended, c *Circumstances) { c.Blocks = []string{"web", "worker"} })
	end("leftovers", proc.ExitedWith(1), func(e *proc.Ended, _ *Circumstances) { e.Leftovers = make([]proc.Leftover, 2) })
	end("hostile name", proc.ExitedWith(1), func(e *proc.Ended, _ *Circumstances) { e.Info.Name = "a\x1b[31m\u202eb\nc" })

	var l Limiter
	m := Match{Matcher: Matcher{Pattern: "panic:"}, Stream: proc.Stderr, Line: "panic: " + strings.Repeat("x", 200)}
	line("log match", l.Admit(m, proc.Info{ID: "proc_x", Name: "api"}, start)[0])
	for range MaxMatchesPerWindow + 6 {
		l.Admit(m, proc.Info{}, start)
	}
	s, ok := l.Flush(start)
	require.True(t, ok)
	line("overflow", s)
	line("recipe error", NoticeRecipeError(`prochost.lua:12: process "api": unknown key "comand"`, start))
	line("host restarted", NoticeHostRestarted("api ended meanwhile", start))

	const golden = "testdata/facts.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0ms", 0: "0ms", 40 * time.Millisecond: "40ms", time.Second: "1s", 2150 * time.Millisecond: "2.1s",
		59900 * time.Millisecond: "59s", time.Minute: "1m", 3*time.Minute + 5*time.Second: "3m 5s", 2*time.Hour + 7*time.Minute: "2h 7m",
		10 * time.Hour: "10h",
	} {
		assert.Equal(t, want, Duration(d), d.String())
	}
}

// Message is total: whatever the words, the message has the kind, the attention and the fact that were decided.
func TestMessageIsTotal(t *testing.T) {
	n, _ := Decide(proc.Ended{Info: proc.Info{Name: "api"}, End: proc.ExitedWith(1)}, DefaultPolicy(), Circumstances{})
	for _, tt := range []struct {
		words         *Words
		summary, body string
		bad           bool
	}{
		{nil, n.Fact(), "", false},
		{&Words{Summary: "broke", Body: "line 1\n\tline 2"}, "broke", "line 1\n\tline 2", false},
		{&Words{Summary: "broke", Body: " \n\u200b"}, "broke", "", false},
		{&Words{}, n.Fact(), "", true},
		{&Words{Summary: "\x1b\u202e\u2066", Body: "body"}, n.Fact(), "", true},
		{&Words{Summary: "two\nlines\ttab"}, "two lines tab", "", false},
	} {
		m, err := n.Message(7, tt.words)
		assert.Equal(t, tt.bad, err != nil)
		assert.Equal(t, tt.summary, m.Summary())
		assert.Equal(t, tt.body, m.Body())
		assert.Equal(t, uint64(7), m.Number())
		assert.Equal(t, Crash, m.Kind())
		assert.Equal(t, Turn, m.Attention())
		assert.Equal(t, tt.words != nil && !tt.bad, m.Custom())
	}
	m, err := n.Message(1, &Words{Summary: strings.Repeat("ä", 300), Body: strings.Repeat("b", 9000)})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(m.Summary()), MaxSummary)
	assert.LessOrEqual(t, len(m.Body()), MaxBody)
	assert.True(t, strings.HasSuffix(m.Summary(), "..."))
}

func TestParseWords(t *testing.T) {
	assert.Equal(t, Words{Summary: "a", Body: "b\nc"}, ParseWords("a\nb\nc"))
	assert.Equal(t, Words{Summary: "a"}, ParseWords("a"))
}

// A view leads nowhere: what is done to it does not reach the notification or another view.
func TestViewIsACopy(t *testing.T) {
	var l Limiter
	n := l.Admit(Match{Captures: []string{"80"}, Line: "port 80"}, proc.Info{Name: "api"}, time.Now())[0]
	v := n.View([]string{"tail"})
	v.Match.Captures[0], v.Attention, v.Kind, v.Process.Name = "x", "context", "success", "other"
	again := n.View(nil)
	assert.Equal(t, "80", again.Match.Captures[0])
	assert.Equal(t, "turn", again.Attention)
	assert.Equal(t, "log_match", again.Kind)
	assert.Equal(t, "api", again.Process.Name)
}

// The zero values are the loud ones.
func TestZeroValuesAreLoud(t *testing.T) {
	assert.Equal(t, Turn, Attention(0))
	assert.Equal(t, Crash, Kind(0))
	turn, as := Notification{}.Send()
	assert.True(t, turn)
	assert.Equal(t, Steer, as)
	for _, e := range []proc.End{proc.ExitedWith(0), proc.ExitedWith(1), proc.EndedBySignal(9, false), {}} {
		n, told := Decide(proc.Ended{End: e}, Policy{}, Circumstances{})
		assert.True(t, told)
		assert.Equal(t, Turn, n.Attention())
	}
}

// What is classified is total: no end of any constructor is silent or unknown under the loudest policy.
func TestFailuresCannotBeSilenced(t *testing.T) {
	wishes := []Wish{Unset, WishTurn, WishContext, WishIgnore}
	ends := []proc.End{proc.ExitedWith(1), proc.ExitedWith(255), proc.EndedBySignal(syscall.SIGSEGV, false), proc.NeverRan(os.ErrNotExist), proc.HadNoPID(), proc.Vanished(false)}
	for _, e := range ends {
		for _, s := range wishes {
			for _, f := range wishes {
				for _, k := range wishes {
					for _, stop := range []*proc.StopRequest{nil, {}} {
						_, told := Decide(proc.Ended{End: e, Stop: stop}, Config{OnSuccess: s, OnFailure: f, OnKilled: k}.Policy(), Circumstances{})
						require.True(t, told)
					}
				}
			}
		}
	}
}
