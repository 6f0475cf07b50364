package logs

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// readLines returns the lines that are there, marks in brackets.
func readLines(r *LineReader) (got []string) {
	for {
		line, ok := r.Next()
		switch {
		case !ok:
			return got
		case line.Gap > 0:
			got = append(got, "[gap "+itoa(line.Gap)+"]")
		case line.Dropped > 0:
			got = append(got, "[dropped "+itoa(line.Dropped)+"]")
		default:
			got = append(got, format(line))
		}
	}
}

func TestLastWords(t *testing.T) {
	r := newRig(t, 0)
	lines := r.Lines(View{})
	defer lines.Close()
	r.out("last words")
	assert.Empty(t, readLines(lines), "the line may go on")
	assert.False(t, lines.Done())
	require.NoError(t, r.Close())
	assert.Equal(t, []string{`1 stdout "last words" 10 true false`}, readLines(lines))
	assert.True(t, lines.Done())
	assert.Empty(t, readLines(lines), "once")
}

func TestLines(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\r\nb\r\r\n10%\r20%\n\nbe")
	r.err("e1\n")
	r.pass(time.Second)
	r.out("gins\nout ")
	r.err("err ")
	r.out("end\r")
	require.NoError(t, r.Close())
	want := []string{
		`1 stdout "a" 1 false false`,
		`2 stdout "b" 1 false false`,
		`3 stdout "10%\r20%" 7 false false`,
		`4 stdout "" 0 false false`,
		`5 stderr "e1" 2 false false`,
		`6 stdout "begins" 6 false false`,
		`7 stdout "out end" 7 true false`,
		`8 stderr "err " 4 true false`,
	}
	for _, l := range []*Log{r.Log, r.load()} {
		lines := l.Lines(View{})
		assert.Equal(t, want, readLines(lines))
		lines.Close()
		lines = l.Lines(View{Only: []proc.Stream{proc.Stderr}})
		assert.Equal(t, []string{want[4], strings.Replace(want[7], "8", "7", 1)}, readLines(lines), "the numbers are those of the process")
		lines.Close()
		lines = l.Lines(View{From: Tail(4)})
		assert.Equal(t, want[4:], readLines(lines))
		lines.Close()
	}
	t.Run("time", func(t *testing.T) {
		lines := r.Lines(View{From: Tail(3)})
		defer lines.Close()
		first, _ := lines.Next()
		assert.Equal(t, r.now.Add(-time.Second), first.Time, "of the first byte")
		second, _ := lines.Next()
		assert.Equal(t, r.now, second.Time)
	})
}

func TestLongLine(t *testing.T) {
	r := newRig(t, 0)
	long := strings.Repeat("0123456789", 20_000)
	r.out(long[:100_000])
	r.err("between\n")
	r.out(long[100_000:] + "\nAFTER\n" + long[:MaxLine] + "\n" + long[:MaxLine] + "\r\n" + long[:MaxLine+1] + "\n")
	lines := r.Lines(View{})
	defer lines.Close()
	assert.Equal(t, []string{
		`1 stderr "between" 7 false false`,
		`2 stdout "01234567890123456789012345678901234567890123456789" 65536 false true`,
		`3 stdout "AFTER" 5 false false`,
		`4 stdout "01234567890123456789012345678901234567890123456789" 65536 false false`,
		`5 stdout "01234567890123456789012345678901234567890123456789" 65536 false true`,
		`6 stdout "01234567890123456789012345678901234567890123456789" 65536 false true`,
	}, readLines(lines))
}

func TestEndlessLineIsBounded(t *testing.T) {
	r := newRig(t, 1<<20)
	lines := r.Lines(View{})
	defer lines.Close()
	block := bytes.Repeat([]byte("x"), 64<<10)
	for range 320 { // 20 MB
		r.Append(proc.Stdout, block)
		_, ok := lines.Next()
		require.False(t, ok)
	}
	assert.LessOrEqual(t, cap(lines.partial[proc.Stdout].buf), 2*MaxLine)
	r.out("\nAFTER\n")
	got := readLines(lines)
	require.Len(t, got, 2)
	assert.Contains(t, got[1], "AFTER")
	assert.Zero(t, cap(lines.partial[proc.Stdout].buf), "it is let go")
}

func TestLongProgress(t *testing.T) {
	for name, tt := range map[string]struct{ end, want string }{
		"the last state is seen":      {"\r98%\r99%\r100% done", "100% done"},
		"a state comes in pieces":     {"\r1|0|0|% d|one", "100% done"},
		"the return in another piece": {"\r|100% done", "100% done"},
		"returns before the end":      {"\r100% done\r|\r", "100% done"},
		"nothing but returns":         {"|\r|\r\r|", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 0)
			lines := r.Lines(View{})
			defer lines.Close()
			progress := strings.Repeat("x", MaxLine+10)
			for _, piece := range strings.Split(progress+tt.end+"|\n", "|") {
				r.out(piece)
				if piece != "\n" {
					assert.Empty(t, readLines(lines))
				}
			}
			reader := r.Lines(View{From: Start()})
			defer reader.Close()
			line, ok := reader.Next()
			require.True(t, ok)
			assert.True(t, line.Truncated)
			want := tt.want
			if want == "" {
				want = progress[:MaxLine]
			}
			assert.True(t, want == string(line.Raw), "got %.50q, want %.50q", line.Raw, want)
		})
	}
}

func TestLinesAroundMarks(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\nbroken")
	r.err("whole")
	r.disk.full = true
	r.out(" off\nlost\nin the mid")
	r.disk.full = false
	r.pass(lastPause)
	r.out("dle\nnext\n")
	r.err(" line\n")
	lines := r.Lines(View{})
	defer lines.Close()
	assert.Equal(t, []string{
		`1 stdout "a" 1 false false`,
		`2 stdout "broken" 6 true false`,
		"[dropped 20]",
		`4 stdout "dle" 3 false false`,
		`5 stdout "next" 4 false false`,
		`6 stderr "whole line" 10 false false`,
	}, readLines(lines))
}

func TestLinesBehindARotation(t *testing.T) {
	r := newRig(t, 40)
	for _, s := range []string{"1.......\n2......", ".\n3.......\n", "4.......\n5......", ".\n6.......\n"} {
		r.out(s)
	}
	lines := r.Lines(View{})
	defer lines.Close()
	assert.Equal(t, []string{
		"[gap 27]",
		`4 stdout "4......." 8 false false`,
		`5 stdout "5......." 8 false false`,
		`6 stdout "6......." 8 false false`,
	}, readLines(lines), "the numbers go on")
}
