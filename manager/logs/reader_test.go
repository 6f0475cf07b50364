package logs

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/prochost/prochost/manager/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestReaderGivesTheOrderOfArrival(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\n")
	r.err("b\nc")
	r.out("d")
	r.pass(5 * time.Millisecond)
	r.out("e\n")
	r.err("f\n")
	const want = "o:a\ne:b\nco:de\ne:f\n"
	assert.Equal(t, want, readAll(r.Log, View{}))
	assert.Equal(t, "o:a\nde\n", readAll(r.Log, View{Only: []proc.Stream{proc.Stdout}}))
	assert.Equal(t, "e:b\ncf\n", readAll(r.Log, View{Only: []proc.Stream{proc.Stderr}}))
	require.NoError(t, r.Close())
	assert.Equal(t, want, readAll(r.Log, View{}))
	assert.Equal(t, want, readAll(r.load(), View{}))
}

func TestChunks(t *testing.T) {
	r := newRig(t, 0)
	at := r.now
	r.out("a\nb")
	r.out("c\n") // in the same millisecond: joins
	r.pass(1500 * time.Microsecond)
	r.out("d\n")
	r.err("e\n")
	r.pass(-time.Second)
	r.out("f\n")
	reader := r.Reader(View{})
	defer reader.Close()
	for _, want := range []Chunk{
		{Stream: proc.Stdout, Time: at, Data: []byte("a\nbc\n"), Lines: 0},
		{Stream: proc.Stdout, Time: at.Add(time.Millisecond), Data: []byte("d\n"), Lines: 2},
		{Stream: proc.Stderr, Time: at.Add(time.Millisecond), Data: []byte("e\n"), Lines: 3},
		{Stream: proc.Stdout, Time: at.Add(-999 * time.Millisecond), Data: []byte("f\n"), Lines: 4},
	} {
		got, ok := reader.Next()
		require.True(t, ok)
		assert.Equal(t, want, got)
	}
	_, ok := reader.Next()
	assert.False(t, ok)
	assert.False(t, reader.Done())
}

func TestPositions(t *testing.T) {
	r := newRig(t, 0)
	begin := r.now
	r.out("o1\no2\n")
	r.pass(time.Second)
	r.err("e3\ne4 be")
	r.pass(time.Second)
	r.out("o4\no5\no6 be")
	r.pass(time.Second)
	r.err("gins\ne")
	after := func(d time.Duration) Position { return Since(begin.Add(d)) }
	tests := []struct {
		name     string
		from     Position
		only     string
		live     string
		finished string
	}{
		{"start", Start(), "", "o:o1\no2\ne:e3\ne4 beo:o4\no5\no6 bee:gins\ne", ""},
		{"end", End(), "", "", ""},
		{"no lines", Tail(0), "", "o:o6 bee:e", "-"},
		{"one", Tail(1), "", "e:e4 beo:o6 bee:gins\ne", "o:o6 bee:e"},
		{"two", Tail(2), "", "e:e4 beo:o5\no6 bee:gins\ne", "o:o6 bee:e"},
		{"three", Tail(3), "", "e:e4 beo:o4\no5\no6 bee:gins\ne", "e:e4 beo:o6 bee:gins\ne"},
		{"four", Tail(4), "", "e:e3\ne4 beo:o4\no5\no6 bee:gins\ne", "e:e4 beo:o5\no6 bee:gins\ne"},
		{"more than there are", Tail(99), "", "o:o1\no2\ne:e3\ne4 beo:o4\no5\no6 bee:gins\ne", ""},
		{"fewer than none", Tail(-1), "", "o:o6 bee:e", "-"},
		{"one of stdout", Tail(1), "o", "o:o5\no6 be", "o:o6 be"},
		{"two of stdout", Tail(2), "o", "o:o4\no5\no6 be", "o:o5\no6 be"},
		{"three of stdout", Tail(3), "o", "o:o2\no4\no5\no6 be", "o:o4\no5\no6 be"},
		{"one of stderr", Tail(1), "e", "e:e4 begins\ne", "e:e"},
		{"two of stderr", Tail(2), "e", "e:e3\ne4 begins\ne", "e:e4 begins\ne"},
		{"since ever", Since(time.Time{}), "", "o:o1\no2\ne:e3\ne4 beo:o4\no5\no6 bee:gins\ne", ""},
		{"since the begin", after(0), "", "o:o1\no2\ne:e3\ne4 beo:o4\no5\no6 bee:gins\ne", ""},
		{"since the second", after(time.Millisecond), "", "e:e3\ne4 beo:o4\no5\no6 bee:gins\ne", ""},
		{"since the third", after(2 * time.Second), "", "o:o4\no5\no6 bee:e", ""},
		{"since the fourth", after(2001 * time.Millisecond), "", "e:e", ""},
		{"since later", after(time.Hour), "", "", ""},
	}
	for _, finished := range []bool{false, true} {
		if finished {
			require.NoError(t, r.Close())
		}
		for _, tt := range tests {
			v, want := View{From: tt.from}, tt.live
			if tt.only != "" {
				v.Only = []proc.Stream{proc.Stream(strings.Index("oe", tt.only))}
			}
			if finished && tt.finished != "" {
				want = strings.Trim(tt.finished, "-")
			}
			t.Run(fmt.Sprintf("%s, finished %v", tt.name, finished), func(t *testing.T) {
				assert.Equal(t, want, readAll(r.Log, v))
				if finished {
					assert.Equal(t, want, readAll(r.load(), v), "loaded")
				}
			})
		}
	}
}

func TestEndGoesOn(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\nb")
	end := r.Lines(View{From: End()})
	defer end.Close()
	_, ok := end.Next()
	require.False(t, ok)
	r.out("c\nd\n") // in the same millisecond as what came before
	got := readLines(end)
	assert.Equal(t, []string{`2 stdout "c" 1 false false`, `3 stdout "d" 1 false false`}, got)
}

// TestTailReadsLittle takes the end of a log that is much larger than what is read for it.
func TestTailReadsLittle(t *testing.T) {
	r := newRig(t, 64<<20)
	block := []byte(lines(64<<10/16, "0123456789abcde"))
	for i := range 200 {
		r.Append(proc.Stream(i%2), block)
		r.pass(10 * time.Millisecond)
	}
	counting := &countingFile{file: r.streams[1].newest.f}
	r.streams[1].newest.f = counting
	reader := r.Reader(View{From: Tail(10)})
	defer reader.Close()
	assert.LessOrEqual(t, counting.read, len(block))
	assert.Equal(t, "e:"+lines(10, "0123456789abcde"), read(reader))
}

type countingFile struct {
	file
	read int
	on   func() // called for each reading
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	f.read += len(p)
	if f.on != nil {
		f.on()
	}
	return f.file.ReadAt(p, at)
}

func TestWake(t *testing.T) {
	r := newRig(t, 0)
	woken := 0
	reader := r.Reader(View{Wake: func() { woken++ }})
	r.out("a")
	assert.Zero(t, woken, "nobody has asked for more yet")
	for range 3 {
		read(reader)
	}
	r.out("b")
	r.err("c")
	assert.Equal(t, 1, woken, "once for each time that nothing was left")
	assert.Equal(t, "o:be:c", read(reader))
	r.disk.full = true
	r.out("d")
	assert.Equal(t, 2, woken, "for a mark as well")
	assert.Equal(t, "o:[dropped 1]", read(reader))
	require.ErrorIs(t, r.Close(), errFull)
	assert.Equal(t, 3, woken, "at the end")
	assert.Empty(t, read(reader))
	assert.True(t, reader.Done())
	reader.Close()

	r = newRig(t, 0)
	for range 3 {
		gone := r.Reader(View{Wake: func() { woken = 99 }})
		read(gone)
		gone.Close()
	}
	silent := r.Reader(View{})
	defer silent.Close()
	read(silent)
	r.out("x")
	assert.Equal(t, 3, woken, "who has left is not called")
	assert.Equal(t, "o:x", read(silent))
}

// TestReadersFollow writes while readers of all kinds follow. Each must get all of what it is to get.
func TestReadersFollow(t *testing.T) {
	l, err := Open(t.TempDir(), id, Options{Cap: 8 << 20})
	require.NoError(t, err)
	const n = 20_000
	var wg sync.WaitGroup
	results := make([][]string, 6)
	for i := range results {
		wake := make(chan struct{}, 1)
		v := View{Wake: func() {
			select {
			case wake <- struct{}{}:
			default:
			}
		}}
		if i%3 > 0 {
			v.Only = []proc.Stream{proc.Stream(i%3 - 1)}
		}
		r := l.Lines(v)
		wg.Go(func() {
			defer r.Close()
			for !r.Done() {
				if line, ok := r.Next(); ok {
					results[i] = append(results[i], string(line.Raw))
					continue
				}
				if !r.Done() {
					<-wake
				}
			}
		})
	}
	var all [3][]string
	for i := range n {
		s := proc.Stream(i / 3 % 2)
		line := fmt.Sprintf("line %d %s", i, strings.Repeat("x", i%97))
		for _, k := range []int{0, int(s) + 1} {
			all[k] = append(all[k], line)
		}
		l.Append(s, []byte(line+"\n"))
	}
	require.NoError(t, l.Close())
	wg.Wait()
	for i, got := range results {
		if !slices.Equal(all[i%3], got) {
			t.Errorf("reader %d got %d lines, want %d", i, len(got), len(all[i%3]))
		}
	}
}

// TestReadersOfASmallLog has readers fall behind all the time: every byte is given or told as missing.
func TestReadersOfASmallLog(t *testing.T) {
	l, err := Open(t.TempDir(), id, Options{Cap: 32 << 10})
	require.NoError(t, err)
	var wg sync.WaitGroup
	var totals [4][proc.NumStreams]int64
	stop := make(chan struct{})
	for i := range totals {
		r := l.Reader(View{})
		wg.Go(func() {
			defer r.Close()
			for !r.Done() {
				c, ok := r.Next()
				if !ok {
					select {
					case <-stop:
					case <-time.After(time.Duration(i) * time.Millisecond):
					}
					continue
				}
				totals[i][c.Stream] += int64(len(c.Data)) + c.Gap
			}
		})
	}
	block := []byte(lines(100, "some text of a process"))
	for i := range 2000 {
		l.Append(proc.Stream(i%3%2), block[:len(block)-i%50])
	}
	require.NoError(t, l.Close())
	close(stop)
	wg.Wait()
	sizes := l.Sizes()
	for i, got := range totals {
		assert.Equal(t, [proc.NumStreams]int64{sizes[0].Written, sizes[1].Written}, got, "reader %d", i)
	}
}
