package logs

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestFiles(t *testing.T) {
	r := newRig(t, 0)
	r.out("last \x1b[31mwords\xff\r\n")
	r.err("oops")
	r.out("\x00")

	stdout, stderr := r.Files()
	assert.Equal(t, filepath.Join(r.dir, "proc_test-stdout.log"), stdout)
	assert.Equal(t, filepath.Join(r.dir, "proc_test-stderr.log"), stderr)
	for path, want := range map[string]string{stdout: "last \x1b[31mwords\xff\r\n\x00", stderr: "oops"} {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(got), "while it is written")
	}
	require.NoError(t, r.Close())
	for path, want := range map[string]fs.FileMode{r.dir: 0o700, stdout: 0o600, stderr: 0o600, r.index.path: 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), path)
	}
	assert.Equal(t, [proc.NumStreams]Size{{Kept: 19, Written: 19}, {Kept: 4, Written: 4}}, r.Sizes())
}

func TestSilentLogHasFiles(t *testing.T) {
	r := newRig(t, 0)
	stdout, stderr := r.Files()
	assert.FileExists(t, stdout)
	assert.FileExists(t, stderr)
	require.NoError(t, r.Close())
	assert.NoFileExists(t, r.index.path)
	assert.Empty(t, readAll(r.load(), View{}))
}

func TestOpenTwice(t *testing.T) {
	r := newRig(t, 0)
	r.out("first")
	_, err := Open(r.dir, id, Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	assert.Equal(t, "o:first", readAll(r.Log, View{}))
}

func TestOpenLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	stderr := filepath.Join(dir, "proc_test-stderr.log")
	require.NoError(t, os.WriteFile(stderr, []byte("not ours"), 0o600))
	_, err := Open(dir, id, Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	assert.NoFileExists(t, filepath.Join(dir, "proc_test-stdout.log"))
	assert.FileExists(t, stderr)
}

func TestAppendWritesEachBlockOnce(t *testing.T) {
	r := newRig(t, 0)
	block := make([]byte, 64<<10)
	for range 10 {
		r.Append(proc.Stdout, block)
		r.pass(2 * time.Second)
	}
	assert.Equal(t, 10, r.disk.writes)
}

func TestAppendAllocatesNothing(t *testing.T) {
	l, err := Open(t.TempDir(), id, Options{})
	require.NoError(t, err)
	defer l.Close()
	r := l.Reader(View{From: End(), Wake: func() {}})
	defer r.Close()
	block := []byte("a line of ordinary length, as programs write them\n")
	s := proc.Stdout
	append := func() {
		l.Append(s, block)
		s = 1 - s
	}
	append()
	assert.Zero(t, testing.AllocsPerRun(100, append))
}

func TestAppendAfterClose(t *testing.T) {
	r := newRig(t, 0)
	r.out("a")
	require.NoError(t, r.Close())
	r.out("b")
	require.NoError(t, r.Close())
	assert.Equal(t, "o:a", readAll(r.Log, View{}))
}

func TestRemove(t *testing.T) {
	r := newRig(t, 100)
	other, err := Open(r.dir, id+"2", Options{})
	require.NoError(t, err)
	defer other.Close()
	other.Append(proc.Stdout, []byte("another process"))

	follower := r.Reader(View{})
	defer follower.Close()
	r.out(lines(20, "0123456"))
	assert.Equal(t, "o:[gap 100]o:"+lines(20, "0123456")[100:], read(follower))
	r.err("unread")
	require.NoError(t, r.Remove())
	assert.Equal(t, "e:[gap 6]", read(follower))
	assert.True(t, follower.Done())

	left, err := filepath.Glob(filepath.Join(r.dir, "*"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(r.dir, "proc_test2-stderr.log"), filepath.Join(r.dir, "proc_test2-stdout.log")}, left)
	assert.Equal(t, "o:another process", readAll(other, View{}))
}

func TestRemoveOfWhatIsGone(t *testing.T) {
	r := newRig(t, 0)
	r.out("a")
	require.NoError(t, os.RemoveAll(r.dir))
	require.NoError(t, r.Remove())
}

func TestFilesAreOpenOnlyWhileNeeded(t *testing.T) {
	r := newRig(t, 100)
	open := func() (n int) {
		for s := range r.streams {
			for _, f := range []file{r.streams[s].newest.f, r.streams[s].older.f} {
				if f != nil {
					n++
				}
			}
		}
		if r.index.f != nil {
			n++
		}
		return n
	}
	assert.Equal(t, 2, open(), "before anything is written")
	r.out(lines(10, "0123456"))
	assert.Equal(t, 3, open(), "with an older file and an index, but without readers")
	reader := r.Reader(View{})
	read(reader)
	assert.Equal(t, 4, open(), "with a reader")
	require.NoError(t, r.Close())
	read(reader)
	reader.Close()
	reader.Close()
	assert.Zero(t, open(), "finished, without readers")
	readAll(r.Log, View{})
	assert.Zero(t, open(), "after another reader")
}
