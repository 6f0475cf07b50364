package logs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestRotation(t *testing.T) {
	r := newRig(t, 40) // two files of 20 bytes
	r.err("kept whatever comes\n")
	follower, late, stuck := r.Reader(View{}), r.Reader(View{}), r.Reader(View{})
	defer follower.Close()
	defer late.Close()
	defer stuck.Close()
	assert.Equal(t, "e:kept whatever comes\n", read(follower))
	for i, line := range []string{"first....\n", "second...\n", "third....\n", "fourth...\n", "fifth....\n"} {
		r.out(line)
		assert.Equal(t, "o:"+line, read(follower), "who follows misses nothing")
		if i == 0 {
			assert.Equal(t, "e:kept whatever comes\no:first....\n", read(late))
		}
		assert.LessOrEqual(t, r.bytesOnDisk()-r.indexSize(), int64(80))
	}
	assert.Equal(t, "o:[gap 10]o:third....\nfourth...\nfifth....\n", read(late))
	assert.Equal(t, "e:kept whatever comes\no:[gap 20]o:third....\nfourth...\nfifth....\n", readAll(r.Log, View{}))
	assert.Equal(t, "o:fifth....\n", readAll(r.Log, View{From: Tail(1)}), "no gap where none matters")

	r.out("sixth....\nseventh..\n") // does not fit behind the fifth
	assert.Equal(t, "o:sixth....\nseventh..\n", read(follower))
	assert.Equal(t, "o:[gap 40]o:fifth....\nsixth....\nseventh..\n", readAll(r.Log, View{Only: []proc.Stream{proc.Stdout}}))
	stdout, _ := r.Files()
	newest, err := os.ReadFile(stdout)
	require.NoError(t, err)
	assert.Equal(t, "sixth....\nseventh..\n", string(newest), "the plain name is the newest")
	older, err := os.ReadFile(strings.Replace(stdout, ".log", ".1.log", 1))
	require.NoError(t, err)
	assert.Equal(t, "fifth....\n", string(older))
	assert.Equal(t, Size{Kept: 30, Written: 70}, r.Sizes()[proc.Stdout])

	// One block of more than all there is room for.
	r.out(strings.Repeat("0123456789", 10))
	assert.Equal(t, "o:[gap 60]o:"+strings.Repeat("0123456789", 4), read(follower))
	assert.Equal(t, "e:kept whatever comes\no:[gap 130]o:"+strings.Repeat("0123456789", 4), read(stuck))
	assert.LessOrEqual(t, r.bytesOnDisk()-r.indexSize(), int64(80))
}

func (r *rig) indexSize() int64 {
	info, err := os.Stat(r.index.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func TestRotationDoesNotWaitForReaders(t *testing.T) {
	r := newRig(t, 40)
	stuck := r.Reader(View{})
	defer stuck.Close()
	stuck.Next() // holds files open
	for range 100 {
		r.out("0123456789")
		assert.LessOrEqual(t, r.bytesOnDisk()-r.indexSize(), int64(80))
	}
	assert.NotNil(t, r.streams[proc.Stdout].older.f)
	assert.Equal(t, "o:[gap 960]o:"+strings.Repeat("0123456789", 4), read(stuck))
}

// TestIndexRing writes more arrivals than the index has room for: of the oldest only the order is lost.
func TestIndexRing(t *testing.T) {
	r := newRig(t, 1<<20)
	r.Log.index.slots = minSlots
	r.Log.index.page.slots = minSlots
	m := &model{}
	follower := check(r.Reader(View{}), m)
	defer follower.Close()
	early := r.Reader(View{})
	defer early.Close()
	late := check(early, m)
	late.ordered = false
	for i := range 20_000 {
		p := []byte("x\n")[i%2:]
		r.Append(proc.Stream(i%2), p)
		m.took(proc.Stream(i%2), p, int64(len(p)))
		for i > 10 && follower.step(t) {
		}
		if i == 10 {
			late.step(t)
		}
	}
	require.Positive(t, r.index.first, "the ring has gone round")
	assert.LessOrEqual(t, r.indexSize(), int64(minSlots*pageSize))
	afresh := check(r.Reader(View{}), m)
	defer afresh.Close()
	afresh.ordered = false
	ends := check(r.Reader(View{From: Tail(1000)}), m)
	defer ends.Close()
	require.NoError(t, r.Close())
	for _, c := range []*checked{follower, late, afresh, ends} {
		c.finish(t)
		assert.Zero(t, c.gaps)
	}
	again := check(r.load().Reader(View{}), m)
	defer again.Close()
	again.ordered = false
	again.finish(t)
}
