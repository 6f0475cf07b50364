package logs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// having is a Pattern: lines with some bytes in them.
type having string

func (h having) Match(raw []byte) bool { return bytes.Contains(raw, []byte(h)) }

func (h having) Find(lines []byte) (start, end int) {
	for start < len(lines) {
		end = start + bytes.IndexByte(lines[start:], '\n')
		if h.Match(lines[start:end]) {
			return start, end
		}
		start = end + 1
	}
	return start, start
}

// entry is all that is true of a line.
type entry struct {
	stream             proc.Stream
	number, time       int64
	from, to           int64
	raw                string
	partial, truncated bool
}

func entryOf(l Line) entry {
	return entry{l.Stream, l.Number, l.Time.UnixMilli(), l.from, l.to, string(l.Raw), l.Partial, l.Truncated}
}

// all returns every line of a search.
func all(t testing.TB, s *Search) (found []entry, missing int64) {
	defer s.Close()
	for {
		line, ok, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return found, s.Missing()
		}
		found = append(found, entryOf(line))
	}
}

func texts(found []entry) (out []string) {
	for _, e := range found {
		out = append(out, fmt.Sprintf("%d %s %.50q", e.number, e.stream, e.raw))
	}
	return out
}

// checkSearch holds what is found of v, forward and back, with a pattern and without, against the lines that a
// LineReader gives.
func checkSearch(t testing.TB, l *Log, v View) []entry {
	var want []entry
	var missing int64
	r := l.Lines(v)
	defer r.Close()
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		if missing += line.Gap + line.Dropped; line.Number > 0 {
			want = append(want, entryOf(line))
		}
	}
	for _, p := range []Pattern{nil, having("b"), having("xyz")} {
		matching := want
		if p != nil {
			matching = slices.DeleteFunc(slices.Clone(want), func(e entry) bool { return !p.Match([]byte(e.raw)) })
		}
		differ := func(got []entry) string {
			i := 0
			for i < min(len(got), len(matching)) && got[i] == matching[i] {
				i++
			}
			return fmt.Sprintf("%d lines, want %d: from %d on %+v, want %+v", len(got), len(matching), i, got[i:min(i+3, len(got))], matching[i:min(i+3, len(matching))])
		}
		ahead, missed := all(t, l.Search(v, p))
		if !slices.Equal(ahead, matching) || missed != missing {
			t.Fatalf("search of %+v for %q misses %d, want %d, and finds %s", v, p, missed, missing, differ(ahead))
		}
		back, missed := all(t, l.SearchBack(v, p))
		slices.Reverse(back)
		if !slices.Equal(back, matching) {
			t.Fatalf("search back of %+v for %q finds %s", v, p, differ(back))
		}
		if v.To == Start() && missed != missing {
			t.Fatalf("search back of %+v for %q misses %d, want %d", v, p, missed, missing)
		}
	}
	return want
}

// checkPlaces holds that a place, taken as an end and as a begin, parts the lines in two.
func checkPlaces(t testing.TB, l *Log, rnd *rand.Rand, whole []entry) {
	sorted := func(e []entry) []entry {
		e = slices.Clone(e)
		for i := range e { // lines without an end are numbered in the order in which they are met
			if e[i].partial {
				e[i].number = 0
			}
		}
		slices.SortFunc(e, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
		return e
	}
	want := sorted(whole)
	places := []Position{AtLine(1), AtLine(rnd.Int64N(int64(len(whole)) + 4)), Tail(rnd.IntN(len(whole) + 3)), Since(time.UnixMilli(1_800_000_000_000 + rnd.Int64N(5000)))}
	r := l.Lines(View{})
	for i, chosen := 0, rnd.IntN(len(whole)+1); ; i++ {
		line, ok := r.Next()
		if !ok {
			break
		}
		if i == chosen && line.Number > 0 {
			places = append(places, line.Begin(), line.End())
		}
	}
	r.Close()
	for _, at := range places {
		before := checkSearch(t, l, View{To: at})
		behind := checkSearch(t, l, View{From: at})
		if got := sorted(append(before, behind...)); at.kind != fromTime && !slices.Equal(got, want) {
			t.Fatalf("%+v parts %d lines into %d before it and %d behind it", at, len(whole), len(before), len(behind))
		}
		checkSearch(t, l, View{To: at, Only: []proc.Stream{proc.Stream(rnd.IntN(2))}})
		checkSearch(t, l, View{From: at, Only: []proc.Stream{proc.Stream(rnd.IntN(2))}})
		checkSearch(t, l, View{From: at, To: places[rnd.IntN(len(places))]})
	}
}

func TestSearch(t *testing.T) {
	r := newRig(t, 0)
	r.out("one\ntwo ")
	r.err("three\nfour\n")
	r.pass(time.Second)
	r.out("five\nsix\nse")
	r.err("eight\n\nni")
	for _, closed := range []bool{false, true} {
		if closed {
			require.NoError(t, r.Close())
		}
		whole := checkSearch(t, r.Log, View{})
		for seed := range uint64(5) {
			checkPlaces(t, r.Log, rand.New(rand.NewPCG(seed, 1)), whole)
		}
		got, missing := all(t, r.SearchBack(View{}, having("e")))
		want := []string{
			`6 stderr "eight"`, `4 stdout "two five"`, `2 stderr "three"`, `1 stdout "one"`,
		}
		if closed {
			want = append([]string{`8 stdout "se"`}, want...)
		}
		assert.Equal(t, want, texts(got))
		assert.Zero(t, missing)
	}
}

// next is how somebody goes from hit to hit.
func TestFromHitToHit(t *testing.T) {
	r := newRig(t, 0)
	r.out("a1\nb\na2")
	r.err("a3\nx\na")
	r.out("\n")
	r.err("4\n")
	step := func(back bool, v View) Line {
		s := r.Search(v, having("a"))
		if back {
			s = r.SearchBack(v, having("a"))
		}
		defer s.Close()
		line, _, err := s.Next(context.Background())
		require.NoError(t, err)
		return line
	}
	at := Start()
	var ahead, back []int64
	for {
		line := step(false, View{From: at})
		if line.Number == 0 {
			break
		}
		at = line.End()
		ahead = append(ahead, line.Number)
	}
	for at != Start() {
		line := step(true, View{To: at})
		if line.Number == 0 {
			break
		}
		at = line.Begin()
		back = append(back, line.Number)
	}
	assert.Equal(t, []int64{1, 3, 5, 6}, ahead)
	assert.Equal(t, []int64{6, 5, 3, 1}, back)
}

func TestSearchFollows(t *testing.T) {
	r := newRig(t, 0)
	woken := 0
	s := r.Search(View{From: End(), Wake: func() { woken++ }}, having("hit"))
	defer s.Close()
	next := func() string {
		line, ok, err := s.Next(t.Context())
		require.NoError(t, err)
		if !ok {
			return ""
		}
		return format(line)
	}
	assert.Empty(t, next())
	r.out("nothing\na h")
	assert.Equal(t, 1, woken)
	assert.Empty(t, next())
	r.err("x hit\n")
	r.out("it\n")
	assert.Equal(t, `2 stderr "x hit" 5 false false`, next())
	assert.Equal(t, `3 stdout "a hit" 5 false false`, next())
	assert.Empty(t, next())
	r.out("last hit")
	assert.Empty(t, next())
	assert.False(t, s.Done())
	require.NoError(t, r.Close())
	assert.Equal(t, `4 stdout "last hit" 8 true false`, next())
	assert.True(t, s.Done())
}

func TestSearchOfALongLine(t *testing.T) {
	r := newRig(t, 0)
	long := bytes.Repeat([]byte("0123456789"), 30_000)
	r.out("begin\nx")
	for i := range 3 {
		r.Append(proc.Stdout, long)
		r.err(fmt.Sprintf("between %d\n", i))
		r.pass(time.Millisecond)
	}
	r.out("\rb seen\nend\n")
	whole := checkSearch(t, r.Log, View{})
	require.Len(t, whole, 6)
	assert.Equal(t, `5 stdout "b seen"`, texts(whole)[4])
	assert.True(t, whole[4].truncated)
	checkPlaces(t, r.Log, rand.New(rand.NewPCG(1, 1)), whole)
}

// TestSearchStops searches a log that is much larger than what is read for one line, or until nobody wants to know.
func TestSearchStops(t *testing.T) {
	r := newRig(t, 64<<20)
	block := []byte(lines(64<<10/16, "0123456789abcde"))
	for range 200 {
		r.Append(proc.Stdout, block)
		r.pass(10 * time.Millisecond)
	}
	for _, search := range []func(View, Pattern) *Search{r.Search, r.SearchBack} {
		counting := &countingFile{file: r.streams[0].newest.f}
		r.streams[0].newest.f = counting
		s := search(View{}, having("9a"))
		_, ok, err := s.Next(t.Context())
		require.NoError(t, err)
		assert.True(t, ok)
		assert.LessOrEqual(t, counting.read, 2*windowSize, "no more is read than is needed")
		s.Close()

		s = search(View{}, having("absent"))
		ctx, cancel := context.WithCancel(t.Context())
		counting.read = 0
		counting.on = func() {
			if counting.read > 1<<20 {
				cancel()
			}
		}
		_, ok, err = s.Next(ctx)
		require.ErrorIs(t, err, context.Canceled)
		assert.False(t, ok)
		assert.False(t, s.Done())
		assert.Less(t, counting.read, 2<<20)
		_, ok, err = s.Next(t.Context())
		require.NoError(t, err)
		assert.False(t, ok)
		assert.GreaterOrEqual(t, counting.read, 200*len(block), "it goes on where it was")
		s.Close()
	}
}

// TestSearchForWhatIsSeen uses the patterns of log matchers.
func TestSearchForWhatIsSeen(t *testing.T) {
	r := newRig(t, 0)
	r.out("a \x1b[31mfat\x1b[0m")
	r.err("fa\xfftal\n")
	r.out("al error\r\nfatal\rok\n")
	r.err("fatal: 1\n")
	for _, tt := range []struct {
		pattern string
		mode    notify.Mode
		want    []string
	}{
		{"fatal", notify.Literal, []string{`2 stdout "a \x1b[31mfat\x1b[0mal error"`, `4 stderr "fatal: 1"`}},
		{`(?i)^FATAL: \d$`, notify.Regex, []string{`4 stderr "fatal: 1"`}},
		{"^ok$", notify.Regex, []string{`3 stdout "fatal\rok"`}},
	} {
		p, err := notify.NewPattern(tt.pattern, tt.mode)
		require.NoError(t, err)
		ahead, _ := all(t, r.Search(View{}, p))
		assert.Equal(t, tt.want, texts(ahead))
		back, _ := all(t, r.SearchBack(View{}, p))
		slices.Reverse(back)
		assert.Equal(t, tt.want, texts(back))
	}
}
