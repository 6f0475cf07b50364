package wal

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// specimen is the directory of a small log: a snapshot of some groups, commits of one and of several, all of them
// durable and marked.
func specimen(t *testing.T) (d *simDisk, name string, groups uint64) {
	synctest.Test(t, func(t *testing.T) {
		d = newSimDisk(3)
		w := open(t, d, 0, 0)
		w.append(7)
		require.NoError(t, w.close())
		w = open(t, d, 7, 7)
		for _, n := range []int{1, 3, 1, 2} {
			w.append(n)
			synctest.Wait()
		}
		require.NoError(t, w.close())
		groups = w.appended
	})
	names, err := d.list()
	require.NoError(t, err)
	require.Len(t, names, 1)
	return d, names[0], groups
}

// put makes a directory that holds one file.
func put(name string, data []byte) *simDisk {
	d := newSimDisk(4)
	n := &inode{cache: data, disk: data, clean: len(data)}
	d.names[name], d.stable[name] = n, n
	return d
}

// placed is a group with the bytes of the file that its frame takes.
type placed struct {
	Span
	group []byte
}

func layout(t *testing.T, data []byte) (groups []placed) {
	h, ok, err := parseHeader(data)
	require.NoError(t, err)
	require.True(t, ok)
	frames, gaps := h.salt.findFrames(data)
	require.Empty(t, gaps)
	for _, f := range frames {
		if len(f.payload) > 0 {
			groups = append(groups, placed{Span{f.at, f.end - f.at}, f.payload})
		}
	}
	return groups
}

// collected is a Memory that keeps the groups as they come.
type collected struct {
	groups [][]byte
	lost   int64
}

func (c *collected) Apply(g []byte) error { c.groups = append(c.groups, slices.Clone(g)); return nil }
func (c *collected) Recovered(r Report)   { c.lost += r.Lost }
func (c *collected) Snapshot() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, g := range c.groups {
			if !yield(g) {
				return
			}
		}
	}
}

// bits are those of the byte at that are turned.
func bits(at int) []int {
	if os.Getenv("PROCHOST_SOAK") != "" {
		return []int{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []int{at % 8}
}

// In each byte of a log a bit is turned. The one group whose frame it belongs to is missing, all others are there,
// and the place is named.
func TestABitOfEveryByteIsTurned(t *testing.T) {
	d, name, _ := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)
	groups := layout(t, data)
	for at := range data {
		for _, bit := range bits(at) {
			bad := slices.Clone(data)
			bad[at] ^= 1 << bit
			c, err := readContent(bad, mustSalt(name))
			require.NoError(t, err)

			var want [][]byte
			offset := int64(at)
			hit := Span{0, headerSize}
			inMark := offset >= headerSize
			for _, g := range groups {
				if offset >= g.Offset && offset < g.Offset+g.Length {
					hit, inMark = g.Span, false
				} else {
					want = append(want, g.group)
				}
			}
			require.Equal(t, want, c.groups, "bit %d of byte %d", bit, at)
			switch {
			case !inMark:
				require.Equal(t, []Span{hit}, c.broken, "bit %d of byte %d", bit, at)
			case offset >= int64(len(data)-frameSize): // the last mark: there is nothing behind it
				require.Empty(t, c.broken)
				require.Equal(t, int64(frameSize), c.torn)
			default:
				require.Len(t, c.broken, 1, "a mark that was durable: byte %d", at)
			}
		}
	}
}

func mustSalt(name string) salt {
	_, s, _, ok := parseFilename(name)
	if !ok {
		panic(name)
	}
	return s
}

// What is broken was durable up to some byte, and was being written from there on.
func TestDamageAndATornEnd(t *testing.T) {
	const s = salt(9)
	data := header{salt: s, base: headerSize}.encode()
	data = s.appendFrame(data, headerSize, headerSize, []byte("first"))
	hit := int64(len(data))
	data = s.appendFrame(data, hit, hit, []byte("second"))
	begin := int64(len(data)) // of a commit of three groups
	for _, group := range []string{"third", "fourth", "fifth"} {
		data = s.appendFrame(data, int64(len(data)), begin, []byte(group))
	}
	data[hit+frameSize] ^= 1
	clear(data[begin : begin+frameSize])
	c, err := readContent(data, s)
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("first")}, c.groups, "not fourth, which is whole, for third is missing")
	assert.Equal(t, []Span{{hit, begin - hit}}, c.broken)
	assert.Equal(t, int64(len(data))-begin, c.torn)
}

// A mark is not synced. If it is lost in the next commit, that is no damage.
func TestALostMarkIsNoDamage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		w.append(1)
		synctest.Wait()
		names, err := d.list()
		require.NoError(t, err)
		data, err := d.read(names[0])
		require.NoError(t, err)
		mark := len(data) - frameSize
		w.append(2)
		synctest.Wait()
		data, err = d.read(names[0])
		require.NoError(t, err)
		require.NoError(t, w.close())

		clear(data[mark : mark+frameSize])
		c, err := readContent(data[:len(data)-frameSize], mustSalt(names[0]))
		require.NoError(t, err)
		assert.Empty(t, c.broken)
		assert.Len(t, c.groups, 2, "the snapshot's and the one of the first commit")
	})
}

// The log is cut off at every byte. What stands before is there, and it is said that something is missing as far as
// that can be known.
func TestEveryCut(t *testing.T) {
	d, name, _ := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)
	h, _, err := parseHeader(data)
	require.NoError(t, err)
	groups := layout(t, data)
	for cut := range data {
		c, err := readContent(data[:cut], mustSalt(name))
		require.NoError(t, err)
		var want [][]byte
		end := int64(headerSize)
		for _, g := range groups {
			if g.Offset+g.Length <= int64(cut) {
				want = append(want, g.group)
				end = g.Offset + g.Length
			}
		}
		require.Equal(t, want, c.groups, "cut at %d", cut)
		switch {
		case int64(cut) < h.base: // the header tells how long the snapshot is, and if it is gone that is told
			require.NotEmpty(t, c.broken, "cut at %d", cut)
		case int64(cut) != end && !isMarkEnd(t, data, int64(cut)):
			require.True(t, c.torn > 0 || len(c.broken) > 0, "cut at %d", cut)
		}
	}
}

func isMarkEnd(t *testing.T, data []byte, at int64) bool {
	h, _, err := parseHeader(data)
	require.NoError(t, err)
	f, ok := h.salt.parseFrame(data, at-frameSize)
	return ok && len(f.payload) == 0
}

// Two places are damaged, and one of them is in the snapshot. All is read that is not hit, the file is put aside, and
// a later start finds no damage.
func TestDamageIsToldOnce(t *testing.T) {
	d, name, n := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)
	groups := layout(t, data)
	first, second := groups[1], groups[len(groups)-2] // one of the accounts, and the last but one group
	data[first.Offset+frameSize+2] ^= 1
	data[second.Offset+1] ^= 1

	d = put(name, data)
	memory := newLedger()
	memory.holes = true
	log, report, err := Open("", memory, Options{disk: d})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	aside := strings.TrimSuffix(name, finished) + damaged
	assert.Equal(t, []Damage{{aside, first.Span}, {aside, second.Span}}, report.Damage)
	assert.Equal(t, first.Length+second.Length, memory.lost)
	assert.Equal(t, n, memory.seen)
	kept, err := d.read(aside)
	require.NoError(t, err)
	assert.Equal(t, data, kept)

	again := &collected{}
	log, report, err = Open("", again, Options{disk: d})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	assert.Empty(t, report.Damage)
	assert.Zero(t, again.lost)
	names, err := d.list()
	require.NoError(t, err)
	assert.Len(t, names, 2, "the damaged file stays")
	assert.Contains(t, names, aside)
}

// A group holds the bytes of a frame. When its own frame is damaged they are not taken for one, unless whoever made
// them knew the salt of the file and the place.
func TestBytesOfAGroupAreNoFrame(t *testing.T) {
	const s = salt(77)
	const place = headerSize + frameSize + 3
	for _, row := range []struct {
		what  string
		inner []byte
		found bool
	}{
		{"of another file", salt(78).appendFrame(nil, place, headerSize, []byte("forged")), false},
		{"of another file with the same word", salt(77+1<<40).appendFrame(nil, place, headerSize, []byte("forged")), false},
		{"of another place", s.appendFrame(nil, place+1, headerSize, []byte("forged")), false},
		{"of this file and place", s.appendFrame(nil, place, headerSize, []byte("forged")), true},
	} {
		data := header{salt: s, base: headerSize}.encode()
		data = s.appendFrame(data, headerSize, headerSize, append([]byte("abc"), row.inner...))
		data = s.appendFrame(data, int64(len(data)), int64(len(data)), []byte("next"))
		data[headerSize+4] ^= 1
		c, err := readContent(data, s)
		require.NoError(t, err)
		want := [][]byte{[]byte("next")}
		if row.found {
			want = [][]byte{[]byte("forged"), []byte("next")}
		}
		assert.Equal(t, want, c.groups, row.what)
		assert.NotEmpty(t, c.broken, row.what)
	}
}

// The newest file holds nothing that can be read, and the machine stopped before the one before it was removed.
func TestTheOlderFileIsBetterThanNothing(t *testing.T) {
	d, name, n := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)
	d = put(name, data)
	number, _, _, _ := parseFilename(name)
	d.names[filename(number+1, 9, finished)] = &inode{cache: []byte("nothing of it is left")}

	memory := newLedger()
	log, report, err := Open("", memory, Options{disk: d})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	assert.Equal(t, n, memory.seen)
	assert.NotEmpty(t, report.Damage)
	names, err := d.list()
	require.NoError(t, err)
	assert.Contains(t, names, filename(number+1, 9, damaged))
	assert.Len(t, names, 2)
}

// A file that was being written takes the room that its successor needs.
func TestUnfinishedFilesGoFirst(t *testing.T) {
	d, name, n := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)
	d = put(name, data)
	d.names[filename(90, 5, unfinished)] = &inode{cache: data[:100]}
	log, _, err := Open("", newLedger(), Options{disk: d})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	assert.Equal(t, []string{"remove", "create"}, d.ops[:2])
	names, err := d.list()
	require.NoError(t, err)
	assert.Len(t, names, 1)
	require.NoError(t, open(t, d.powerLoss(), n, n).close())
}

// What this version does not understand it does not touch.
func TestRefusedFilesAreLeftAlone(t *testing.T) {
	d, name, _ := specimen(t)
	data, err := d.read(name)
	require.NoError(t, err)

	t.Run("a later format", func(t *testing.T) {
		later := slices.Clone(data)
		later[8]++
		h := later[:headerSize]
		copy(h[28:], appendChecksum(nil, h[:28]))
		d := put(name, later)
		_, _, err := Open("", newLedger(), Options{disk: d})
		require.ErrorIs(t, err, ErrVersion)
		assert.Empty(t, d.ops)
	})
	t.Run("a group that the memory refuses", func(t *testing.T) {
		d := put(name, data)
		d.names["0000000099-0000000000000001.wal.tmp"] = &inode{}
		memory := newLedger()
		memory.refuse = assert.AnError
		_, _, err := Open("", memory, Options{disk: d})
		require.ErrorIs(t, err, assert.AnError)
		assert.Empty(t, d.ops)
	})
	t.Run("files of others", func(t *testing.T) {
		d := put(name, data)
		for _, other := range []string{"notes.txt", "1-2.wal", "0000000001-000000000000000g.wal", "lock"} {
			d.names[other] = &inode{}
		}
		log, _, err := Open("", newLedger(), Options{disk: d})
		require.NoError(t, err)
		require.NoError(t, log.Close())
		names, err := d.list()
		require.NoError(t, err)
		assert.Len(t, names, 5)
	})
}
