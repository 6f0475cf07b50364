package logs

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestLoadOfNothing(t *testing.T) {
	_, err := Load(t.TempDir(), id, Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestCrash leaves the log as a writer does that is killed.
func TestCrash(t *testing.T) {
	r := newRig(t, 0)
	r.out("o1\n")
	r.err("e1\n")
	assert.Equal(t, "o:o1\ne:e1\n", readAll(r.crash(), View{}), "nothing of the order is on disk")
	r.pass(flushEvery)
	r.out("o2\n") // writes the order of what came before
	r.err("e2\n")
	r.out("o3")
	c := r.crash()
	assert.Equal(t, "o:o1\ne:e1\no:o2\no3e:e2\n", readAll(c, View{}), "what the index does not know comes last")
	assert.Equal(t, "o:o2\no3e:e2\n", readAll(c, View{From: Tail(3)}))
	lines := c.Lines(View{From: Tail(3)})
	defer lines.Close()
	assert.Equal(t, []string{`3 stdout "o2" 2 false false`, `4 stderr "e2" 2 false false`, `5 stdout "o3" 2 true false`}, readLines(lines))
	assert.Equal(t, [proc.NumStreams]Size{{Kept: 8, Written: 8}, {Kept: 6, Written: 6}}, c.Sizes())
}

// TestDamagedIndex cuts and changes the index in many places. Every byte is still read.
func TestDamagedIndex(t *testing.T) {
	r := newRig(t, 0)
	m := &model{}
	for i := range 3000 {
		p := []byte("x\n")[i%2:]
		r.Append(proc.Stream(i%2), p)
		m.took(proc.Stream(i%2), p, int64(len(p)))
		r.pass(time.Millisecond)
	}
	require.NoError(t, r.Close())
	whole, err := os.ReadFile(r.index.path)
	require.NoError(t, err)
	require.Greater(t, len(whole), 2*pageSize)
	check := func(index []byte) *checked {
		require.NoError(t, os.WriteFile(r.index.path, index, 0o600))
		c := check(r.load().Reader(View{}), m)
		defer c.Close()
		c.ordered = false
		c.finish(t)
		assert.Zero(t, c.gaps)
		return c
	}
	for n := 0; n < len(whole); n += 331 {
		check(whole[:n])
		damaged := strings.Clone(string(whole))
		b := []byte(damaged)
		b[n] ^= 0x40
		check(b)
	}
	check(whole)
	require.NoError(t, os.Remove(r.index.path))
	l := r.load()
	assert.True(t, strings.HasPrefix(readAll(l, View{}), "o:x\nx\n"))
	assert.Equal(t, int64(4500), l.Sizes()[0].Written+l.Sizes()[1].Written)
}

func TestDataShorterThanTheIndexSays(t *testing.T) {
	r := newRig(t, 0)
	r.out("0123456789\n")
	r.err("after\n")
	require.NoError(t, r.Close())
	require.NoError(t, os.Truncate(r.streams[proc.Stdout].path, 4))
	assert.Equal(t, "o:0123o:[gap 7]e:after\n", readAll(r.load(), View{}))
	require.NoError(t, os.Remove(r.streams[proc.Stderr].path))
	assert.Equal(t, "o:0123o:[gap 7]e:[gap 6]", readAll(r.load(), View{}))
}

// TestCrashInRotation takes the log as it is after each step of a rotation.
func TestCrashInRotation(t *testing.T) {
	for name, before := range map[string]string{"the first": "", "another": "gone gone gone gone\n"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 40)
			r.out(before)
			r.out("0123456789\n")
			r.err("e\n")
			r.pass(flushEvery)
			r.out("second\n")
			r.pass(flushEvery)
			r.err("f\n")
			st := &r.streams[proc.Stdout]
			for i, step := range []func() error{
				func() error { return nil },
				func() error { return os.Rename(st.path, st.olderPath) },
				func() error { return os.WriteFile(st.path, nil, 0o600) },
				func() error { return os.WriteFile(st.path, []byte("third\n"), 0o600) },
			} {
				require.NoError(t, step())
				want := "o:0123456789\ne:e\no:second\ne:f\n"
				switch {
				case before != "" && i == 0:
					want = "o:" + before + want[2:]
				case before != "":
					want = "o:[gap 20]" + want
				}
				if i == 3 {
					want = strings.Replace(want, "second\n", "second\nthird\n", 1)
				}
				assert.Equal(t, want, readAll(r.crash(), View{}), "step %d", i)
			}
		})
	}
}
