package logs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

const killedDir = "PROCHOST_TEST_KILLED"

// TestKilled kills a writer at any moment, again and again, and has the next one go on with the log.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		writeUntilKilled(dir)
		return
	}
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	told := 0 // by the writers, each after it has written
	const rounds = 5
	for round := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), killedDir+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		n, err := io.CopyN(io.Discard, out, int64(rnd.IntN(1500)))
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Kill())
		rest, err := io.Copy(io.Discard, out)
		require.NoError(t, err)
		cmd.Wait()
		told += int(n + rest)
		if told > 0 {
			checkKilled(t, dir, told, round+1)
		}
	}
}

// killedOptions have the files of a stream change every few hundred lines.
var killedOptions = Options{Cap: 32 << 10}

// killedLine is what is written as number n, and where.
func killedLine(n int) (proc.Stream, string) {
	h := rand.New(rand.NewPCG(uint64(n), 9))
	return proc.Stream(h.IntN(2)), fmt.Sprintf("%d %s\n", n, strings.Repeat("x", h.IntN(60)))
}

// writeUntilKilled goes on with the log, and writes one byte for each line that it has written.
func writeUntilKilled(dir string) {
	now := time.Now()
	opt := killedOptions
	opt.Now = func() time.Time { return now }
	l, err := Reopen(dir, id, opt)
	next := 0
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l, err = Open(dir, id, opt)
	case err == nil:
		for _, n := range killedNumbers(l, Tail(500)) {
			next = max(next, n+1)
		}
	}
	if err != nil {
		panic(err)
	}
	for s, partial := range l.midline {
		if partial {
			l.Append(proc.Stream(s), []byte("\n"))
		}
	}
	for ; ; next++ {
		s, line := killedLine(next)
		l.Append(s, []byte(line))
		now = now.Add(10 * time.Millisecond)
		os.Stdout.Write([]byte{'.'})
	}
}

// killedNumbers returns the number of each line, -1 for one that a writer was killed in.
func killedNumbers(l *Log, from Position) (numbers []int) {
	r := l.Lines(View{From: from})
	defer r.Close()
	for {
		line, ok := r.Next()
		if !ok {
			return numbers
		}
		if line.Gap > 0 {
			continue
		}
		n := -1
		fmt.Sscan(string(line.Raw), &n)
		if s, text := killedLine(n); s != line.Stream || string(line.Raw)+"\n" != text {
			n = -1
		}
		numbers = append(numbers, n)
	}
}

func checkKilled(t *testing.T, dir string, told, kills int) {
	l, err := Load(dir, id, killedOptions)
	require.NoError(t, err)
	numbers := killedNumbers(l, Start())
	require.NotEmpty(t, numbers)
	var of [proc.NumStreams][]int
	broken, late, disorder, last, most := 0, 0, 0, -1, -1
	for _, n := range numbers {
		if n < 0 {
			broken++
			continue
		}
		if n < last {
			disorder++
		}
		if n < most {
			late++
		}
		last, most = n, max(most, n)
		s, _ := killedLine(n)
		of[s] = append(of[s], n)
	}
	assert.GreaterOrEqual(t, most, told-1, "what was written is there")
	assert.LessOrEqual(t, broken, kills+int(proc.NumStreams), "lines broken by a kill, or whose begin was rotated out")
	assert.LessOrEqual(t, disorder, kills, "the order is lost before a kill alone")
	assert.LessOrEqual(t, late, kills*int(flushEvery/(10*time.Millisecond)+1), "and only of the last second")
	for s, got := range of {
		missing, at := 0, 0
		for n := got[0]; n <= got[len(got)-1]; n++ {
			switch where, _ := killedLine(n); {
			case where != proc.Stream(s):
			case n == got[at]:
				at++
			default:
				missing++
			}
		}
		assert.Equal(t, len(got), at, "%s is in order", proc.Stream(s))
		assert.LessOrEqual(t, missing, kills, "lines of %s that a writer was killed in", proc.Stream(s))
	}
	checkSearch(t, l, View{})
}
