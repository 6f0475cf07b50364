package wal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The test binary is also the program that is killed, and the one whose disk is full.
func TestMain(m *testing.M) {
	switch dir := os.Getenv("WAL_TEST_DIR"); os.Getenv("WAL_TEST_CHILD") {
	case "append":
		appendForEver(dir)
	case "full":
		fillUp(dir)
	default:
		goleak.VerifyTestMain(m)
	}
}

// child returns this test binary as another program.
func child(t *testing.T, what, dir string) *exec.Cmd {
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "WAL_TEST_CHILD="+what, "WAL_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// appendForEver appends in bursts, and prints the number of each group that is durable.
func appendForEver(dir string) {
	memory := newLedger()
	log, report, err := Open(dir, memory, Options{room: 4000})
	must(err)
	if len(report.Damage) > 0 {
		panic(fmt.Sprint(report))
	}
	for n := memory.seen; ; {
		burst := 1 + rand.IntN(8)
		wait := make(chan struct{}, burst)
		for range burst {
			n++
			number := n
			must(log.Append(entryOf(number), func(err error) {
				must(err)
				fmt.Println(number)
				wait <- struct{}{}
			}))
		}
		if rand.IntN(3) == 0 {
			for range burst {
				<-wait
			}
		}
	}
}

// A real process is killed at a moment that nobody has chosen, again and again. PROCHOST_SOAK=short makes it 100
// times, anything else 1,000.
func TestKill(t *testing.T) {
	cycles := 3
	switch os.Getenv("PROCHOST_SOAK") {
	case "":
	case "short":
		cycles = 100
	default:
		cycles = 1000
	}
	dir := filepath.Join(t.TempDir(), "log")
	durable := uint64(0)
	for range cycles {
		cmd := child(t, "append", dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 1 + rand.IntN(200) {
			require.True(t, lines.Scan())
		}
		require.NoError(t, cmd.Process.Kill())
		last := lines.Text()
		for lines.Scan() {
			last = lines.Text()
		}
		_ = cmd.Wait()
		// the last line may be cut short by the kill, and so be a smaller number
		n, err := strconv.ParseUint(last, 10, 64)
		require.NoError(t, err)
		durable = max(durable, n)

		memory := newLedger()
		log, report, err := Open(dir, memory, Options{})
		require.NoError(t, err)
		require.NoError(t, log.Close())
		assert.Empty(t, report.Damage)
		require.GreaterOrEqual(t, memory.seen, durable)
		require.Equal(t, after(memory.seen), memory)
		durable = memory.seen
	}
}

// fillUp goes through an outage that the system makes.
func fillUp(dir string) {
	outages := make(chan error, 10)
	memory := newLedger()
	log, _, err := Open(dir, memory, Options{Outage: func(err error) { outages <- err }})
	must(err)
	appendTo := func(n uint64, then func(error)) {
		done := make(chan struct{})
		for i := memory.seen + 1; i <= n; i++ {
			must(log.Append(entryOf(i), then))
		}
		must(log.Append(nil, func(error) { close(done) }))
		<-done
	}
	appendTo(50, must)

	var limit syscall.Rlimit
	must(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	small := limit
	small.Cur = 300 // less than the snapshot
	must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	appendTo(100, func(err error) {
		if !errors.Is(err, ErrNotDurable) || !errors.Is(err, syscall.EFBIG) {
			panic(fmt.Sprint("no room, but: ", err))
		}
	})
	if <-outages == nil {
		panic("the outage was not told")
	}
	must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	must(<-outages)
	appendTo(150, must)
	fmt.Println("done")
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

func TestFull(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	cmd := child(t, "full", dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.ErrorContains(t, cmd.Run(), "killed")
	require.Equal(t, "done\n", out.String())
	memory := newLedger()
	log, report, err := Open(dir, memory, Options{})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	assert.Empty(t, report.Damage)
	assert.Equal(t, after(150), memory)
}

// What is remembered is for the eyes of its owner.
func TestPermissions(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	open := filepath.Join(t.TempDir(), "open")
	require.NoError(t, os.Mkdir(open, 0o755))
	for _, dir := range []string{open, filepath.Join(t.TempDir(), "made", "for", "it")} {
		log, _, err := Open(dir, newLedger(), Options{})
		require.NoError(t, err)
		require.NoError(t, log.Close())
		info, err := os.Stat(dir)
		require.NoError(t, err)
		assert.Equal(t, os.ModeDir|0o700, info.Mode())
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, 1)
		info, err = files[0].Info()
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
		assert.True(t, strings.HasSuffix(files[0].Name(), finished))
	}
}

// Somebody removes the directory under the log, which then makes it anew.
func TestTheDirectoryIsRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	w := &writer{t: t, memory: newLedger()}
	var err error
	w.log, _, err = Open(dir, w.memory, Options{})
	require.NoError(t, err)
	wait := func() {
		done := make(chan error)
		require.NoError(t, w.log.Append(nil, func(err error) { done <- err }))
		require.NoError(t, <-done)
	}
	w.append(3)
	wait()
	require.NoError(t, os.RemoveAll(dir))
	w.append(3)
	wait()
	assert.EqualValues(t, 6, w.durable)
	require.NoError(t, w.close())

	memory := newLedger()
	log, _, err := Open(dir, memory, Options{})
	require.NoError(t, err)
	require.NoError(t, log.Close())
	assert.Equal(t, after(6), memory)
}

func TestOpenNamesTheDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, _, err := Open(path, newLedger(), Options{})
	assert.ErrorContains(t, err, fmt.Sprintf("open the log in %q: ", path))
}

// medium is a file of which some pages cannot be read.
type medium struct {
	data []byte
	bad  map[int64]bool // by page
}

func (m medium) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && at < int64(len(m.data)) {
		if m.bad[at/4096] {
			return n, &os.PathError{Op: "read", Path: "medium", Err: syscall.EIO}
		}
		b[n] = m.data[at]
		n++
		at++
	}
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}

func TestReadAroundBadPages(t *testing.T) {
	data := make([]byte, 5*4096+100)
	for i := range data {
		data[i] = byte(i%255 + 1)
	}
	for _, bad := range [][]int64{nil, {0}, {1, 2}, {4}, {5}, {0, 1, 2, 3, 4, 5}} {
		m := medium{data, map[int64]bool{}}
		want := bytes.Clone(data)
		for _, page := range bad {
			m.bad[page] = true
			clear(want[page*4096 : min((page+1)*4096, int64(len(data)))])
		}
		got, err := readAround(m, int64(len(data)))
		require.NoError(t, err, "%v", bad)
		assert.Equal(t, want, got, "%v", bad)
	}
	got, err := readAround(medium{data: data[:100]}, int64(len(data)))
	require.NoError(t, err)
	assert.Equal(t, data[:100], got, "it has become shorter")
}
