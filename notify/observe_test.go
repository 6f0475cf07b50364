package notify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCostly(t *testing.T) {
	for _, tt := range []struct {
		m    Matcher
		want bool
	}{
		{Matcher{Pattern: "e"}, false},
		{Matcher{Pattern: `\d+`}, false},
		{Matcher{Pattern: `\d+`, Mode: Regex}, true},
		{Matcher{Pattern: `port \d+`, Mode: Regex}, false},
		{Matcher{Pattern: `(?i)error`, Mode: Regex}, false},
		{Matcher{Pattern: `warning|.*x`, Mode: Regex}, true},
	} {
		assert.Equal(t, tt.want, tt.m.Costly(), "%s %q", tt.m.Mode, tt.m.Pattern)
	}
}

// runHits tells what fires in a run: the place of the line, the index of the matcher, the line.
func runHits(m *Matchers, s proc.Stream, run string, now time.Time) []string {
	var out []string
	for at, hit := range m.ObserveRun(s, []byte(run), now) {
		out = append(out, fmt.Sprintf("%d #%d %s %q", at, hit.Index, hit.Line, hit.Captures))
	}
	return out
}

func TestObserveRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []Matcher
		run  string
		want []string
	}{
		{"no matcher", nil, "a\n", nil},
		{"nothing to look at", []Matcher{{Pattern: "a"}}, "", nil},
		{"each fires once", []Matcher{{Pattern: "a"}, {Pattern: "b"}}, "b\na b\na b\n", []string{"0 #1 b []", "2 #0 a b []"}},
		{"several on a line, in the order of the list", []Matcher{{Pattern: "b"}, {Pattern: "no"}, {Pattern: "a"}, {Pattern: "a b"}}, "x\na b\n",
			[]string{"2 #0 a b []", "2 #2 a b []", "2 #3 a b []"}},
		{"groups", []Matcher{{Pattern: `port (\d+)(x)?`, Mode: Regex}}, "port x\nport 80\n", []string{`7 #0 port 80 ["80" ""]`}},
		{"the literal is there and the expression does not match", []Matcher{{Pattern: `^port (\d+)$`, Mode: Regex}}, "a port 1\nport 2\n", []string{`9 #0 port 2 ["2"]`}},
		{"a costly one between others", []Matcher{{Pattern: "b"}, {Pattern: `^\w+$`, Mode: Regex}, {Pattern: "abc"}}, "\n\n - \nabc\n",
			[]string{"6 #0 abc []", "6 #1 abc []", "6 #2 abc []"}},
		{"empty lines are none", []Matcher{{Pattern: `^`, Mode: Regex}}, "\n\nx\n", []string{"2 #0 x []"}},
		{"what spans two lines is on neither", []Matcher{{Pattern: "a\nb"}, {Pattern: `a\nb`, Mode: Regex}, {Pattern: "b\n"}, {Pattern: `a\sb`, Mode: Regex}}, "a\nb\na\nb\n", nil},
		{"the stream", []Matcher{{Pattern: "a", Stream: OnlyStderr}, {Pattern: "a", Stream: OnlyStdout}}, "a\n", []string{"0 #1 a []"}},
		{"a last line without end", []Matcher{{Pattern: "b"}}, "a\nb", []string{"2 #0 b []"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := NewMatchers(tt.list)
			require.NoError(t, err)
			assert.Equal(t, tt.want, runHits(m, proc.Stdout, tt.run, time.Now()))
		})
	}
}

func TestSleepersLeaveAndComeBack(t *testing.T) {
	now := time.Now()
	m, err := NewMatchers([]Matcher{{Pattern: "once", Stream: OnlyStderr}, {Pattern: "again", Repeat: true}})
	require.NoError(t, err)
	assert.True(t, m.Awake(proc.Stdout, now))
	assert.Equal(t, []string{"0 #1 again once []"}, runHits(m, proc.Stdout, "again once\nagain\n", now))
	assert.False(t, m.Awake(proc.Stdout, now), "the other one does not watch stdout")
	assert.True(t, m.Awake(proc.Stderr, now))
	assert.Equal(t, []string{"6 #0 once []"}, runHits(m, proc.Stderr, "again\nonce\n", now))

	before, at := now.Add(Cooldown-1), now.Add(Cooldown)
	assert.False(t, m.Awake(proc.Stderr, before))
	assert.Empty(t, runHits(m, proc.Stderr, "again\n", before))
	assert.True(t, m.Awake(proc.Stderr, at))
	assert.Equal(t, []string{"0 #1 again once []"}, runHits(m, proc.Stderr, "again once\n", at))
}

// Those who sleep wake one after the other, in whatever order of the list.
func TestSleepersWakeInTurn(t *testing.T) {
	now := time.Now()
	m, err := NewMatchers([]Matcher{{Pattern: "a", Repeat: true}, {Pattern: "b", Repeat: true}, {Pattern: "c", Repeat: true}})
	require.NoError(t, err)
	for i, line := range []string{"b\n", "c\n", "a\n"} {
		require.Len(t, runHits(m, proc.Stdout, line, now.Add(time.Duration(i))), 1)
	}
	require.False(t, m.Awake(proc.Stdout, now.Add(Cooldown-1)))
	for i, want := range []string{"0 #1 a b c []", "0 #2 a b c []", "0 #0 a b c []"} {
		assert.Equal(t, []string{want}, runHits(m, proc.Stdout, "a b c\n", now.Add(Cooldown+time.Duration(i))))
	}
}

func TestObserveRunStopsWhenNoMoreIsAsked(t *testing.T) {
	m, err := NewMatchers([]Matcher{{Pattern: "a"}, {Pattern: "b"}, {Pattern: "c"}})
	require.NoError(t, err)
	for range m.ObserveRun(proc.Stdout, []byte("a b\nc\n"), time.Now()) {
		break
	}
	assert.Equal(t, []string{"0 #1 a b []", "4 #2 c []"}, runHits(m, proc.Stdout, "a b\nc\n", time.Now()))
}

// A sieve is made when who is awake has changed, and not for every block.
func TestSievesAreKept(t *testing.T) {
	now := time.Now()
	m, err := NewMatchers([]Matcher{{Pattern: "one"}, {Pattern: "two"}})
	require.NoError(t, err)
	set := m.sieve(proc.Stdout, now).set
	assert.Same(t, set, m.sieve(proc.Stderr, now).set, "the streams share what is the same")
	runHits(m, proc.Stdout, "nothing\n", now)
	assert.Same(t, set, m.sieve(proc.Stdout, now.Add(time.Hour)).set)
	runHits(m, proc.Stdout, "one\n", now)
	assert.NotSame(t, set, m.sieve(proc.Stdout, now).set)

	run := []byte("nothing\nhere\n")
	allocs := testing.AllocsPerRun(100, func() {
		for range m.ObserveRun(proc.Stdout, run, now) {
			t.Error("hit")
		}
	})
	assert.Zero(t, allocs, "for a run without a hit")
}

// differential is one history of a process: the same output is looked at line by line and in runs.
type differential struct {
	*rand.Rand
	t            *testing.T
	slow, fast   *Matchers
	slowL, fastL [proc.NumStreams]text.Lines
	want, got    []string
	now          time.Time
	history      strings.Builder
}

func told(m Match) string {
	return fmt.Sprintf("%s #%d %+v %q %q", m.Stream, m.Index, m.Matcher, m.Line, m.Captures)
}

func (d *differential) slowLine(s proc.Stream) func([]byte) {
	return func(line []byte) {
		if !Watchable(line) {
			d.t.Fatalf("line %q is not watchable", line)
		}
		for _, m := range d.slow.Observe(s, line, d.now) {
			d.want = append(d.want, told(m))
		}
	}
}

func (d *differential) fastRun(s proc.Stream) func([]byte) {
	return func(run []byte) {
		for at, m := range d.fast.ObserveRun(s, run, d.now) {
			d.got = append(d.got, told(m))
			if !strings.HasPrefix(string(run[at:]), m.Line+"\n") {
				d.t.Fatalf("line %q is not at %d of %q", m.Line, at, run)
			}
		}
	}
}

func (d *differential) block(s proc.Stream, b []byte) {
	fmt.Fprintf(&d.history, "%s %q\n", s, b)
	d.slowL[s].Write(bytes.Clone(b), d.slowLine(s))
	if d.fast.Awake(s, d.now) {
		d.fastL[s].WriteRuns(bytes.Clone(b), d.fastRun(s))
	} else {
		d.fastL[s].Skip(bytes.Clone(b))
	}
	d.compare()
}

func (d *differential) end() {
	for s := range proc.Stream(proc.NumStreams) {
		d.slowL[s].Flush(d.slowLine(s))
		d.fastL[s].FlushRuns(d.fastRun(s))
	}
	d.compare()
}

func (d *differential) compare() {
	if !slices.Equal(d.got, d.want) {
		d.t.Fatalf("matchers %+v\n%s\nmatched in runs\n  %s\nwant\n  %s", d.slow.List(), d.history.String(),
			strings.Join(d.got, "\n  "), strings.Join(d.want, "\n  "))
	}
}

var (
	fuzzWords = []string{"error", "Error", "ERROR", "ok", "x", "port 80", "port 443", "ſucceſs", "success", "listening on http://localhost", "✓", "a\tb", "é",
		"panic: runtime error", "[api] ", "0123456789abcdef", " ", "=====", "==", "\xff"}
	fuzzNoise    = []string{"\x1b[31m", "\x1b[0m", "\r", "\r\n", "\n", "\n", "\n\n", "\x1b]0;title\a", "\x07", "\x1b[", "\xe4\xbd", "\x1b]0;open"}
	fuzzLiterals = []string{"error", "ERROR", "ok", "x", "port 443", "success", "on http", "✓", "a       b", "\uFFFD", "=====", "rror: ", "k\n", "abcdefgh", "r", "runtime error[api] ", " x"}
	fuzzRegexes  = []string{`(?i)error`, `port (\d+)`, `^ok$`, `.*`, `x*`, `^$`, `(success|✓)`, `(?i:success)`, `=+x`, `panic: (.*) error`, `\d{3}`, `^\[api\] (.)`,
		`e.*o`, "\uFFFD", `(?:ok|er)ror`, `on http(s?)`, `[^\n]x`, `\bok\b`, `b$`, `a\s+b`}
)

func (d *differential) matchers() []Matcher {
	list := make([]Matcher, d.IntN(1+[]int{2, 6, MaxMatchers}[d.IntN(3)]))
	for i := range list {
		m := Matcher{Pattern: fuzzLiterals[d.IntN(len(fuzzLiterals))], Stream: StreamFilter(d.IntN(3)), Repeat: d.IntN(2) == 0}
		if d.IntN(2) == 0 {
			m.Mode, m.Pattern = Regex, fuzzRegexes[d.IntN(len(fuzzRegexes))]
		}
		list[i] = m
	}
	return list
}

// edit changes the matchers of both in the same way.
func (d *differential) edit() {
	list, i := d.matchers(), d.IntN(MaxMatchers)
	how := []func(*Matchers) error{
		func(m *Matchers) error { return m.Adopt(slices.Concat(m.List(), list)) },
		func(m *Matchers) error { return m.Adopt(list) },
		func(m *Matchers) error { return m.Append(list) },
		func(m *Matchers) error { return m.Replace(list) },
		func(m *Matchers) error { return m.RemoveAt(i) },
		func(m *Matchers) error { return m.RemoveWhere(func(c Matcher) bool { return c.Mode == Regex }) },
	}[d.IntN(6)]
	slow, fast := how(d.slow), how(d.fast)
	assert.Equal(d.t, slow == nil, fast == nil)
	fmt.Fprintf(&d.history, "edit: %+v\n", d.slow.List())
}

func (d *differential) output() []byte {
	var b []byte
	noise := d.IntN(4)
	for range d.IntN(30) {
		switch {
		case d.IntN(8) < noise:
			b = append(b, fuzzNoise[d.IntN(len(fuzzNoise))]...)
		case d.IntN(4) == 0:
			b = append(b, '\n')
		default:
			b = append(b, fuzzWords[d.IntN(len(fuzzWords))]...)
		}
	}
	return b
}

func FuzzMatchers(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed, "", []byte(nil))
	}
	f.Add(uint64(7), `took (\d{4,})ms`, []byte("it took \x1b[1m12345\x1b[0mms\nit took 1ms\r\n"))
	f.Fuzz(func(t *testing.T, seed uint64, pattern string, output []byte) {
		if len(output) > 1<<12 || len(pattern) > 100 {
			return
		}
		d := &differential{Rand: rand.New(rand.NewPCG(seed, 3)), t: t, now: time.Now()}
		list := d.matchers()
		if mode := Mode(d.IntN(2)); len(list) > 0 && CheckPattern(pattern, mode) == nil {
			list[d.IntN(len(list))] = Matcher{Pattern: pattern, Mode: mode, Repeat: true}
		}
		var err error
		d.slow, err = NewMatchers(list)
		require.NoError(t, err)
		d.fast, err = NewMatchers(list)
		require.NoError(t, err)
		for range d.IntN(12) {
			b := d.output()
			if d.IntN(3) == 0 {
				b = output
			}
			s := proc.Stream(d.IntN(proc.NumStreams))
			for len(b) > 0 {
				n := 1 + d.IntN(len(b))
				d.block(s, b[:n])
				b = b[n:]
			}
			d.now = d.now.Add([]time.Duration{0, 1, time.Second, Cooldown - time.Second, Cooldown - 1, Cooldown, time.Hour}[d.IntN(7)])
			if d.IntN(5) == 0 {
				d.edit()
			}
		}
		d.end()
	})
}
