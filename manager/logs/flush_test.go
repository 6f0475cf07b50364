package logs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNextWithin(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\nbc")
	r.err("e\n")
	r.out("d\nf\n")
	lines := r.Lines(View{})
	defer lines.Close()
	for upTo, want := range []string{
		"", "", `1 stdout "a" 1 false false`, "", "", "", `2 stderr "e" 1 false false`, "", `3 stdout "bcd" 3 false false`, "", `4 stdout "f" 1 false false`, "",
	} {
		line, ok := lines.NextWithin(int64(upTo))
		require.Equal(t, want != "", ok, "up to %d", upTo)
		if ok {
			assert.Equal(t, want, format(line))
		}
		assert.Equal(t, int64(min(upTo, 10)), lines.Taken())
	}
}

func TestNextWithinMarks(t *testing.T) {
	r := newRig(t, 40)
	r.out(lines(8, "0123456"))
	lines := r.Lines(View{})
	defer lines.Close()
	line, ok := lines.NextWithin(1)
	require.True(t, ok)
	assert.Equal(t, int64(40), line.Gap)
	assert.Equal(t, int64(40), lines.Taken(), "what is gone was passed")
	line, ok = lines.NextWithin(48)
	require.True(t, ok)
	assert.Equal(t, `6 stdout "0123456" 7 false false`, format(line))
	_, ok = lines.NextWithin(48)
	assert.False(t, ok)
}

func TestFlush(t *testing.T) {
	r := newRig(t, 0)
	r.err("a\nfirst ")
	r.out("second ")
	lines := r.Lines(View{})
	defer lines.Close()
	_, ok := lines.Flush()
	assert.False(t, ok, "nothing has begun")
	assert.Equal(t, []string{`1 stderr "a" 1 false false`}, readLines(lines))
	for _, want := range []string{`2 stderr "first " 6 true false`, `3 stdout "second " 7 true false`} {
		line, ok := lines.Flush()
		require.True(t, ok)
		assert.Equal(t, want, format(line))
	}
	_, ok = lines.Flush()
	assert.False(t, ok, "once")
	r.out("end\n")
	assert.Equal(t, []string{`2 stdout "end" 3 false false`}, readLines(lines))
}

func TestFlushBehindABound(t *testing.T) {
	r := newRig(t, 0)
	r.out("ab\nc\nd\n")
	lines := r.Lines(View{})
	defer lines.Close()
	_, ok := lines.NextWithin(1)
	require.False(t, ok)
	line, ok := lines.Flush()
	require.True(t, ok)
	assert.Equal(t, `1 stdout "a" 1 true false`, format(line), "the line ends behind the bound do not count yet")
	assert.Equal(t, []string{`1 stdout "b" 1 false false`, `2 stdout "c" 1 false false`, `3 stdout "d" 1 false false`}, readLines(lines))
}
