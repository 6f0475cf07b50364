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

// reopen leaves the log as a writer does that is killed, and goes on with it.
func (r *rig) reopen() {
	r.tb.Helper()
	l, err := Reopen(r.dir, id, r.options(r.opt.Cap))
	require.NoError(r.tb, err)
	r.Log = l
	r.tb.Cleanup(func() { l.Close() })
}

func TestReopenOfNothing(t *testing.T) {
	_, err := Reopen(t.TempDir(), id, Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReopen(t *testing.T) {
	r := newRig(t, 0)
	r.out("o1\n")
	r.err("e1\n")
	r.pass(flushEvery)
	r.out("o2\n") // writes the order of what came before
	r.err("e2\n")
	r.out("o3")
	r.reopen()
	const before = "o:o1\ne:e1\no:o2\no3e:e2\n"
	assert.Equal(t, before, readAll(r.Log, View{}), "what the index does not know comes last")
	follower := r.Lines(View{From: End()})
	defer follower.Close()
	r.err("e4\n")
	r.out("-more\n")
	assert.Equal(t, before+"e4\no:-more\n", readAll(r.Log, View{}))
	assert.Equal(t, []string{`5 stderr "e4" 2 false false`, `6 stdout "-more" 5 false false`}, readLines(follower))
	checkSearch(t, r.Log, View{})
	assert.Equal(t, [proc.NumStreams]Size{{Kept: 14, Written: 14}, {Kept: 9, Written: 9}}, r.Sizes())
	assert.Equal(t, before+"o:-more\ne:e4\n", readAll(r.crash(), View{}), "the order was written when it was reopened")
	require.NoError(t, r.Close())
	for range 3 {
		r.reopen()
		r.out("x\n")
		require.NoError(t, r.Close())
	}
	assert.Equal(t, before+"e4\no:-more\nx\nx\nx\n", readAll(r.load(), View{}))
	assert.Empty(t, r.troubles)
}

func TestReopenGoesOnWithTheRing(t *testing.T) {
	r := newRig(t, 1<<20)
	m := &model{}
	put := func(i int) {
		p := []byte("x\n")[i%2:]
		r.Append(proc.Stream(i%2), p)
		m.took(proc.Stream(i%2), p, int64(len(p)))
		r.pass(time.Millisecond)
	}
	r.index.slots, r.index.page.slots = minSlots, minSlots
	for i := range 9000 {
		if put(i); i%1000 == 999 {
			require.NoError(t, r.Close())
			r.reopen()
		}
	}
	assert.Equal(t, int64(minSlots), r.index.slots, "that of the file, whatever the options say")
	require.Positive(t, r.index.first)
	c := check(r.Reader(View{From: Tail(1000)}), m)
	defer c.Close()
	require.NoError(t, r.Close())
	c.finish(t)
	assert.Zero(t, c.gaps)
	again := check(r.load().Reader(View{}), m)
	defer again.Close()
	again.ordered = false
	again.finish(t)
}

// TestReopenAfterLoss takes away what the index knows of. Positions are not used again.
func TestReopenAfterLoss(t *testing.T) {
	for name, tt := range map[string]struct {
		hurt func(t *testing.T, r *rig)
		want string
	}{
		"cut": {
			func(t *testing.T, r *rig) { require.NoError(t, os.Truncate(r.streams[0].path, 4)) },
			"o:[gap 19]e:e\no:secoo:[gap 3]o:new\n",
		},
		"emptied": {
			func(t *testing.T, r *rig) { require.NoError(t, os.Truncate(r.streams[0].path, 0)) },
			"o:012345678901234567\ne:e\no:[gap 7]o:new\n",
		},
		"newest removed": {
			func(t *testing.T, r *rig) { require.NoError(t, os.Remove(r.streams[0].path)) },
			"o:012345678901234567\ne:e\no:[gap 7]o:new\n",
		},
		"older removed": {
			func(t *testing.T, r *rig) { require.NoError(t, os.Remove(r.streams[0].olderPath)) },
			"o:[gap 19]e:e\no:second\nnew\n",
		},
		"both removed": {
			func(t *testing.T, r *rig) {
				require.NoError(t, os.Remove(r.streams[0].path))
				require.NoError(t, os.Remove(r.streams[0].olderPath))
			},
			"o:[gap 26]e:e\no:new\n",
		},
		"index removed": {
			func(t *testing.T, r *rig) { require.NoError(t, os.Remove(r.index.path)) },
			"o:012345678901234567\nsecond\ne:e\no:new\n",
		},
		"made anew by somebody": {
			func(t *testing.T, r *rig) {
				require.NoError(t, os.WriteFile(r.streams[0].path+"x", []byte("theirs\n"), 0o600))
				require.NoError(t, os.Rename(r.streams[0].path+"x", r.streams[0].path))
			},
			"o:012345678901234567\ne:e\no:[gap 7]o:theirs\nnew\n",
		},
		"copied": {
			func(t *testing.T, r *rig) {
				require.NoError(t, os.Rename(r.dir, r.dir+"2"))
				require.NoError(t, os.CopyFS(r.dir, os.DirFS(r.dir+"2")))
			},
			"o:012345678901234567\ne:e\no:second\nnew\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 40)
			r.out("012345678901234567\n")
			r.err("e\n")
			r.out("second\n") // in another file
			require.NoError(t, r.Close())
			before := r.Sizes()
			tt.hurt(t, r)
			r.reopen()
			r.out("new\n")
			assert.Equal(t, before[0].Written+int64(strings.Count(tt.want, "theirs")*7)+4, r.Sizes()[0].Written)
			assert.Equal(t, tt.want, readAll(r.Log, View{}))
			require.NoError(t, r.Close())
			assert.Equal(t, tt.want, readAll(r.load(), View{}))
		})
	}
}
