package host

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watched is an observer under test, its clock, and what it reported.
type watched struct {
	*observer
	now time.Time
	got []string
}

func watch(t *testing.T, ready *recipe.Ready, list ...notify.Matcher) *watched {
	t.Helper()
	w := &watched{now: time.Now()}
	p := recipe.Process{Ready: ready}
	p.Notify.LogMatches = list
	o, err := newObserver("proc_x", p, func(in input) {
		switch in := in.(type) {
		case readied:
			w.got = append(w.got, "ready")
		case matched:
			assert.Equal(t, w.now, in.at)
			w.got = append(w.got, fmt.Sprintf("%s #%d %s", in.match.Stream, in.match.Index, in.match.Line))
		}
	})
	require.NoError(t, err)
	o.clock = func() time.Time { return w.now }
	w.observer = o
	return w
}

func (w *watched) out(blocks ...string) {
	for _, b := range blocks {
		w.Output(proc.Stdout, []byte(b))
	}
}

func TestObserverReportsInTheOrderOfLines(t *testing.T) {
	w := watch(t, &recipe.Ready{Log: "ready"}, notify.Matcher{Pattern: "b"}, notify.Matcher{Pattern: "a"}, notify.Matcher{Pattern: "ready a"}, notify.Matcher{Pattern: "c"})
	w.out("x\na\nready a b\nready c\n")
	assert.Equal(t, []string{"stdout #1 a", "ready", "stdout #0 ready a b", "stdout #2 ready a b", "stdout #3 ready c"}, w.got)
}

func TestObserverReadinessWithoutMatchers(t *testing.T) {
	w := watch(t, &recipe.Ready{Log: `listening on :(\d+)`, Mode: notify.Regex})
	w.out("listen", "ing on :\n", "\x1b[1mlisten", "ing\x1b[0m on :80\nlistening on :81\n")
	assert.Equal(t, []string{"ready"}, w.got, "once")
}

// A line that was begun while every matcher slept is looked at whole if one is awake when it ends.
func TestObserverKeepsTheLineThatIsBegun(t *testing.T) {
	w := watch(t, nil, notify.Matcher{Pattern: "hit", Repeat: true})
	w.out("hit 1\n")
	w.now = w.now.Add(notify.Cooldown - 1)
	w.out("hit 2\n", "h\x1b[3", "1mi")
	w.now = w.now.Add(1)
	w.out("t 3\nhit 4\n")
	w.now = w.now.Add(notify.Cooldown)
	w.out("over\rhit 5")
	w.Flush()
	assert.Equal(t, []string{"stdout #0 hit 1", "stdout #0 hit 3", "stdout #0 hit 5"}, w.got)
}

// The same when a reload brings a matcher.
func TestObserverWithMatchersOfAReload(t *testing.T) {
	w := watch(t, nil)
	w.out("first\nsec")
	require.NoError(t, w.adopt([]notify.Matcher{{Pattern: "s"}, {Pattern: "second", Stream: notify.OnlyStderr}}))
	w.Output(proc.Stderr, []byte("a second"))
	w.out("ond\n")
	w.Flush()
	assert.Equal(t, []string{"stdout #0 second", "stderr #1 a second"}, w.got)
}

// No burst loses a match, wherever it is in a block and whatever stands around it.
func TestObserverInAFlood(t *testing.T) {
	var list []notify.Matcher
	for i := range notify.MaxMatchers {
		m := notify.Matcher{Pattern: fmt.Sprintf("needle %02d", i)}
		if i%2 == 1 {
			m = notify.Matcher{Pattern: fmt.Sprintf(`needle %02d (\w+)$`, i), Mode: notify.Regex}
		}
		list = append(list, m)
	}
	w := watch(t, &recipe.Ready{Log: "needle 10"}, list...)
	var b strings.Builder
	var want []string
	for i := range 100_000 {
		if i%5_000 == 2_500 {
			n := i / 5_000
			if n == 10 {
				want = append(want, "ready")
			}
			fmt.Fprintf(&b, "a need\x1b[1mle %02d here\r\n", n)
			want = append(want, fmt.Sprintf("stdout #%d a needle %02d here", n, n))
		}
		fmt.Fprintf(&b, "line %d of many, with needle and haystack\n", i)
	}
	for s := b.String(); s != ""; {
		n := min(len(s), 64<<10)
		w.out(s[:n])
		s = s[n:]
	}
	assert.Equal(t, want, w.got)
}
