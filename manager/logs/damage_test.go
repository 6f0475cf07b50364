package logs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// damaged is a directory with a log, as files that are put there afresh.
type damaged struct {
	dir   string
	files map[string][]byte
}

func (d damaged) restore(t testing.TB) {
	entries, err := os.ReadDir(d.dir)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.Remove(filepath.Join(d.dir, e.Name())))
	}
	for name, content := range d.files {
		require.NoError(t, os.WriteFile(filepath.Join(d.dir, name), content, 0o600))
	}
}

// take reads the files that are there.
func (d *damaged) take(t testing.TB) {
	d.files = map[string][]byte{}
	entries, err := os.ReadDir(d.dir)
	require.NoError(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(d.dir, e.Name()))
		require.NoError(t, err)
		d.files[e.Name()] = b
	}
}

// checkEveryByte holds that l gives what is in its files, once and in order. If somebody meddled with them, bytes of the
// older files may be left out that have no place before the newer ones.
func checkEveryByte(t testing.TB, l *Log, meddled bool) {
	t.Helper()
	var got, want [proc.NumStreams]strings.Builder
	for s := range want {
		for _, path := range []string{l.streams[s].olderPath, l.streams[s].path} {
			b, _ := os.ReadFile(path) // if there is one
			if older := l.streams[s].older.size; meddled && path == l.streams[s].olderPath {
				b = b[:older]
			}
			want[s].Write(b)
		}
	}
	r := l.Reader(View{})
	defer r.Close()
	for {
		c, ok := r.Next()
		if !ok {
			break
		}
		got[c.Stream].Write(c.Data)
	}
	if !r.Done() && l.finished {
		t.Fatal("not done at the end of a log that is closed")
	}
	for s := range want {
		if got[s].String() != want[s].String() {
			t.Fatalf("%s is read as %q, want %q", proc.Stream(s), got[s].String(), want[s].String())
		}
	}
}

// checkNumbers holds that lines are found forward and backward alike, and are numbered in order.
func checkNumbers(t testing.TB, l *Log) {
	t.Helper()
	last := int64(1)
	for _, e := range checkSearch(t, l, View{}) {
		if e.number < last {
			t.Fatalf("line %d comes behind line %d", e.number, last)
		}
		last = e.number
	}
}

// checkGoesOn holds that a log can be read and gone on with, whatever has become of its files.
func checkGoesOn(t testing.TB, dir string, meddled bool) {
	t.Helper()
	l, err := Load(dir, id, Options{})
	require.NoError(t, err)
	checkEveryByte(t, l, meddled)
	before := l.Sizes()
	l, err = Reopen(dir, id, Options{})
	require.NoError(t, err)
	checkEveryByte(t, l, meddled)
	for s, word := range []string{"new out\n", "new err\n"} {
		l.Append(proc.Stream(s), []byte(word))
		require.GreaterOrEqual(t, l.Sizes()[s].Written, before[s].Written+int64(len(word)))
	}
	checkEveryByte(t, l, meddled)
	require.NoError(t, l.Close())
	again, err := Load(dir, id, Options{})
	require.NoError(t, err)
	checkEveryByte(t, again, meddled)
	require.True(t, strings.HasSuffix(readAll(again, View{}), "new out\ne:new err\n"))
	if meddled { // there are line ends where the index knows of none
		all(t, again.SearchBack(View{}, having("n")))
		return
	}
	require.Equal(t, l.Sizes(), again.Sizes())
	checkNumbers(t, again)
}

// TestDamageAnywhere damages each file of a log that was killed at every place.
func TestDamageAnywhere(t *testing.T) {
	r := newRig(t, 160)
	for i := range 30 {
		r.out(strings.Repeat("o", i%9) + "\n"[:i%2])
		r.err(strings.Repeat("e", i%7) + "\n"[:i%3/2])
		r.pass(20 * time.Millisecond)
	}
	d := damaged{dir: r.dir}
	d.take(t)
	require.Len(t, d.files, 5)
	for name, content := range d.files {
		d.restore(t)
		path := filepath.Join(d.dir, name)
		for at := range content {
			hurt := [][]byte{content[:at]}
			if strings.HasSuffix(name, ".idx") {
				hurt = append(hurt, slices.Clone(content))
				hurt[1][at] ^= 0x40
			}
			for _, b := range hurt {
				require.NoError(t, os.WriteFile(path, b, 0o600))
				l, err := Load(r.dir, id, Options{})
				require.NoError(t, err)
				checkEveryByte(t, l, false)
			}
			if at%32 == 0 {
				checkGoesOn(t, r.dir, false)
				d.restore(t)
			}
		}
		require.NoError(t, os.Remove(path))
		checkGoesOn(t, r.dir, false)
	}
}
