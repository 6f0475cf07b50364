package logs

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

func TestFullDisk(t *testing.T) {
	r := newRig(t, 0)
	follower := r.Reader(View{})
	defer follower.Close()
	r.out("before\n")
	r.disk.limited, r.disk.room = true, 3
	r.out("cut off\n")
	assert.Equal(t, "o:before\ncuto:[dropped 5]", read(follower))
	for range 20 {
		r.pass(time.Second)
		r.err("lost\n")
	}
	assert.Equal(t, []string{"log of proc_test: no space left on device; output is dropped until it works again"}, r.troubles)
	assert.Equal(t, "e:[dropped 100]", read(follower), "who follows hears of it meanwhile")
	assert.Equal(t, [proc.NumStreams]Size{{Kept: 10, Written: 10, Dropped: 5}, {Dropped: 100}}, r.Sizes())

	r.disk.limited = false
	r.pass(lastPause)
	r.out("after\n")
	assert.Equal(t, []string{"log of proc_test: writing works again; 105 bytes were dropped"}, r.troubles[1:])
	assert.Equal(t, "o:after\n", read(follower))
	const want = "o:before\ncuto:[dropped 5]e:[dropped 100]o:after\n"
	assert.Equal(t, want, readAll(r.Log, View{}), "the marks are where it is missing")
	assert.Equal(t, want, readAll(r.crash(), View{}), "also for another program, before the log is closed")
	require.NoError(t, r.Close())
	assert.Equal(t, want, readAll(r.load(), View{}))
	assert.Len(t, r.troubles, 2)
}

func TestPausesGrow(t *testing.T) {
	r := newRig(t, 0)
	r.disk.full = true
	var tries []int64
	begin, last := r.now, 0
	for r.now.Sub(begin) < 30*time.Second {
		r.out("x")
		if r.disk.writes > last {
			last = r.disk.writes
			tries = append(tries, r.now.Sub(begin).Milliseconds())
		}
		r.pass(50 * time.Millisecond)
	}
	assert.Equal(t, []int64{0, 100, 300, 700, 1500, 3100, 6300, 11300, 16300, 21300, 26300}, tries)

	r.pass(-24 * time.Hour) // the clock is put back
	r.disk.full = false
	r.out("y")
	assert.Equal(t, "o:[dropped 600]o:y", readAll(r.Log, View{}))
}

func TestClosedInAnOutage(t *testing.T) {
	r := newRig(t, 0)
	r.out("before\n")
	r.disk.full = true
	r.out("lost\n")
	require.ErrorIs(t, r.Close(), errFull)
	const want = "o:before\no:[dropped 5]"
	assert.Equal(t, want, readAll(r.Log, View{}))
	assert.Equal(t, "o:before\n", readAll(r.load(), View{}), "nothing on disk knows of the rest")
}

func TestClosedAfterAnOutage(t *testing.T) {
	r := newRig(t, 0)
	r.out("before\n")
	r.disk.full = true
	r.out("lost\n")
	r.disk.full = false
	require.NoError(t, r.Close())
	assert.Equal(t, "o:before\no:[dropped 5]", readAll(r.load(), View{}))
}

func TestIndexCannotBeWritten(t *testing.T) {
	r := newRig(t, 0)
	r.disk.readOnly = true // the files are there, the index is not
	for i := range 3000 {
		r.Append(proc.Stream(i%2), []byte("x\n"))
	}
	require.Len(t, r.troubles, 1)
	assert.Contains(t, r.troubles[0], "the order of arrivals may be lost")
	r.disk.readOnly = false
	r.pass(time.Second)
	r.out("end\n")
	assert.Equal(t, []string{"log of proc_test: writing works again"}, r.troubles[1:])
	all := readAll(r.Log, View{})
	assert.Equal(t, 6000+4, len(strings.NewReplacer("o:", "", "e:", "").Replace(all)), "every byte is there")
	assert.Equal(t, "o:x\ne:x\no:end\n", readAll(r.Log, View{From: Tail(3)}))
}

func TestDirectoryRemoved(t *testing.T) {
	r := newRig(t, 40)
	follower, behind := r.Reader(View{}), r.Reader(View{})
	defer follower.Close()
	defer behind.Close()
	r.out("first............\n")
	r.out("second...........\n")
	assert.Equal(t, "o:first............\nsecond...........\n", read(follower))
	require.NoError(t, os.RemoveAll(r.dir))
	r.out("3\n") // into a file that has no name any more
	r.pass(checkEvery)
	r.out("fourth\n")
	r.err("fifth\n")
	require.Len(t, r.troubles, 2)
	for _, want := range []string{"taken away while in use: ", "proc_test-stdout.log with 20 bytes, ", "proc_test-stderr.log with 0 bytes, ", "proc_test-order.idx"} {
		assert.Contains(t, r.troubles[0], want)
	}
	assert.Equal(t, "log of proc_test: writing works again", r.troubles[1])

	got, err := os.ReadFile(r.streams[proc.Stdout].path)
	require.NoError(t, err)
	assert.Equal(t, "fourth\n", string(got))
	assert.Equal(t, "o:[gap 2]o:fourth\ne:fifth\n", read(follower))
	assert.Equal(t, "o:first............\no:[gap 20]o:fourth\ne:fifth\n", read(behind), "the older file is still open")
	assert.Equal(t, "o:[gap 38]o:fourth\ne:fifth\n", readAll(r.crash(), View{}))
	require.NoError(t, r.Close())
	assert.Equal(t, "o:[gap 38]o:fourth\ne:fifth\n", readAll(r.load(), View{}))
}

func TestDirectoryCannotBeMadeAnew(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\n")
	require.NoError(t, os.RemoveAll(r.dir))
	r.disk.readOnly = true
	r.pass(checkEvery)
	r.out("b\n")
	r.pass(time.Second)
	r.out("c\n")
	r.disk.readOnly = false
	r.pass(lastPause)
	r.out("d\n")
	assert.Len(t, r.troubles, 2)
	assert.Equal(t, "o:[gap 2]o:[dropped 4]o:d\n", readAll(r.Log, View{}))
	require.NoError(t, r.Close())
	assert.Equal(t, "o:[gap 2]o:[dropped 4]o:d\n", readAll(r.load(), View{}))
}

func TestFileEmptiedOrReplaced(t *testing.T) {
	for name, hurt := range map[string]func(path string) error{
		"emptied":  func(path string) error { return os.Truncate(path, 0) },
		"cut":      func(path string) error { return os.Truncate(path, 3) },
		"replaced": func(path string) error { os.Remove(path); return os.WriteFile(path, []byte("theirs"), 0o600) },
		"moved":    func(path string) error { return os.Rename(path, path+".mine") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 0)
			r.out("first\n")
			r.err("other\n")
			require.NoError(t, hurt(r.streams[proc.Stdout].path))
			r.pass(checkEvery)
			r.out("second\n")
			assert.Len(t, r.troubles, 2)
			assert.Equal(t, "o:[gap 6]e:other\no:second\n", readAll(r.Log, View{}))
			assert.Equal(t, "o:[gap 6]e:other\no:second\n", readAll(r.crash(), View{}))
		})
	}
}

func TestIndexRemoved(t *testing.T) {
	r := newRig(t, 0)
	r.out("a\n")
	r.pass(time.Second)
	r.err("b\n")
	r.pass(time.Second)
	r.out("c\n")
	require.NoError(t, os.Remove(r.index.path))
	r.pass(time.Second)
	r.err("d\n")
	assert.Len(t, r.troubles, 2)
	assert.Equal(t, "o:a\ne:b\no:c\ne:d\n", readAll(r.Log, View{}))
	require.NoError(t, r.Close())
	assert.Equal(t, "o:a\ne:b\no:c\ne:d\n", readAll(r.load(), View{}), "the page being filled was in memory")
}

func TestRotationFails(t *testing.T) {
	r := newRig(t, 20)
	r.out("0123456789")
	r.disk.readOnly = true
	r.out("abc")
	r.disk.readOnly = false
	r.pass(lastPause)
	r.out("def")
	assert.Len(t, r.troubles, 2)
	assert.Equal(t, "o:0123456789o:[dropped 3]o:def", readAll(r.Log, View{}))
}

// TestFileSizeLimit meets a limit that the kernel sets, in a process of its own.
func TestFileSizeLimit(t *testing.T) {
	const child = "PROCHOST_TEST_FILE_SIZE_LIMIT"
	if dir := os.Getenv(child); dir != "" {
		atFileSizeLimit(dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFileSizeLimit$")
	dir := t.TempDir()
	cmd.Env = append(os.Environ(), child+"="+dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "stdout.log: file too large; output is dropped until it works again\n")
	assert.Contains(t, string(out), "writing works again; 65536 bytes were dropped\n")
	l, err := Load(dir, id, Options{})
	require.NoError(t, err)
	got := readAll(l, View{})
	assert.Len(t, got, 2+1<<17+len("o:[dropped 65536]")+2+1<<17)
	assert.Equal(t, Size{Kept: 1 << 18, Written: 1 << 18, Dropped: 1 << 16}, l.Sizes()[proc.Stdout])
}

func atFileSizeLimit(dir string) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	signal.Ignore(syscall.SIGXFSZ)
	var limit unix.Rlimit
	must(unix.Getrlimit(unix.RLIMIT_FSIZE, &limit))
	now := time.Now()
	l, err := Open(dir, id, Options{Now: func() time.Time { return now }, Trouble: func(m string) { fmt.Println(m) }})
	must(err)
	must(unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 17, Max: limit.Max}))
	block := make([]byte, 3<<16)
	l.Append(proc.Stdout, block) // two thirds of it
	must(unix.Setrlimit(unix.RLIMIT_FSIZE, &limit))
	now = now.Add(time.Second)
	l.Append(proc.Stdout, block[:1<<17])
	must(l.Close())
}
