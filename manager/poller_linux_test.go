package manager

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// stillPoller is a poller whose rounds are made by a test, at times of its choice.
type stillPoller struct {
	*poller
	t    *testing.T
	seat seat
	now  time.Time
}

func newStillPoller(t *testing.T) *stillPoller {
	p, err := newPoller()
	require.NoError(t, err)
	close(p.done) // nobody runs it
	t.Cleanup(p.close)
	return &stillPoller{poller: p, t: t, seat: seat{&intake{}, p}, now: time.Now()}
}

// open returns a pipe that the poller reads, and what is seen of it.
func (p *stillPoller) open() (*pipeReader, *testObserver) {
	p.t.Helper()
	obs := &testObserver{}
	r := openReader(p.t, obs)
	p.seat.add(r.reader)
	return r, obs
}

// after makes a round when d has passed, and returns how many descriptors had something to tell.
func (p *stillPoller) after(d time.Duration) int {
	p.now = p.now.Add(d)
	p.n = 0
	p.look(uintptr(p.fd))
	n := p.n
	p.round(p.now)
	return n
}

func TestFirstLineIsReadAtOnceAndOthersGather(t *testing.T) {
	p := newStillPoller(t)
	r, obs := p.open()
	r.print(t, "1")
	p.after(0)
	assert.Equal(t, "1", obs.text(proc.Stdout), "the first at once")
	r.print(t, "2")
	p.after(restTime / 10)
	assert.Equal(t, "12", obs.text(proc.Stdout), "which is told by the second")
	for i := range 8 {
		r.print(t, "x")
		assert.Zero(t, p.after(restTime/10), "nobody is woken by the line %d of a rest", i)
	}
	assert.Equal(t, "12", obs.text(proc.Stdout))
	p.after(restTime / 5)
	assert.Equal(t, "12xxxxxxxx", obs.text(proc.Stdout), "the others when the rest is over")
	assert.False(t, p.tick.IsZero(), "more may follow")
	p.after(restTime)
	assert.True(t, p.tick.IsZero(), "after a rest without lines nothing is waited for")
	r.print(t, "3")
	assert.Equal(t, 1, p.after(0))
	assert.Equal(t, "12xxxxxxxx3", obs.text(proc.Stdout), "at once again")
	assert.True(t, p.tick.IsZero())
}

func TestRestOfOneIsNotThatOfAnother(t *testing.T) {
	p := newStillPoller(t)
	busy, _ := p.open()
	quiet, obs := p.open()
	for range 3 {
		busy.print(t, "x")
		p.after(restTime / 10)
	}
	require.False(t, p.tick.IsZero())
	quiet.print(t, "a line")
	p.after(restTime / 10)
	assert.Equal(t, "a line", obs.text(proc.Stdout))
}

func TestEndDuringARestIsToldAtOnce(t *testing.T) {
	p := newStillPoller(t)
	r, obs := p.open()
	for range 2 {
		r.print(t, "x")
		p.after(0)
	}
	r.print(t, strings.Repeat("y", 60_000))
	r.w.Close()
	p.after(0)
	assert.Len(t, p.resting, 1, "it rests once")
	p.after(0)
	<-r.ended
	assert.Len(t, obs.text(proc.Stdout), 60_002)
	p.after(restTime)
	assert.True(t, p.tick.IsZero())
}

// TestFloodLeavesOthersTheirTurn has a process that writes as fast as it is read.
func TestFloodLeavesOthersTheirTurn(t *testing.T) {
	p := newStillPoller(t)
	flood := &endless{}
	r := openReader(t, flood)
	flood.w = r.w
	p.seat.add(r.reader)
	for range 2 { // the pipe has grown when it is filled again
		fillPipe(t, r.w)
		p.after(0)
	}
	require.Positive(t, flood.seen)
	line, obs := p.open()
	for range 20 {
		line.print(t, "x")
		before, lines := flood.seen, len(obs.text(proc.Stdout))
		flood.other = func() { assert.Len(t, obs.text(proc.Stdout), lines+1, "a flood comes last") }
		p.after(2 * restTime)
		assert.Len(t, obs.text(proc.Stdout), lines+1)
		assert.LessOrEqual(t, flood.seen-before, maxBlock, "bytes in one round")
		assert.Greater(t, flood.seen, before)
	}
}

// endless fills the pipe again as soon as it is read.
type endless struct {
	w     *os.File
	seen  int
	other func()
}

func (f *endless) Output(_ proc.Stream, p []byte) {
	if f.other != nil {
		f.other()
	}
	f.seen += len(p)
	f.w.Write(p)
}

func (f *endless) Flush() {}

// fillPipe writes until the pipe takes no more.
func fillPipe(t *testing.T, w *os.File) {
	t.Helper()
	conn, err := w.SyscallConn()
	require.NoError(t, err)
	conn.Control(func(fd uintptr) {
		for err = nil; err == nil; {
			_, err = unix.Write(int(fd), bytes.Repeat([]byte("x"), 4096))
		}
	})
	require.ErrorIs(t, err, unix.EAGAIN)
}

func TestThousandQuietPipes(t *testing.T) {
	before := runtime.NumGoroutine()
	p := newStillPoller(t)
	var readers []*pipeReader
	var seen []*testObserver
	for range 1000 {
		r, obs := p.open()
		readers, seen = append(readers, r), append(seen, obs)
	}
	assert.Less(t, runtime.NumGoroutine(), before+100, "goroutines")
	assert.Zero(t, p.after(0))
	assert.True(t, p.tick.IsZero(), "nothing is waited for")
	readers[700].print(t, "x")
	assert.Equal(t, 1, p.after(0), "only who has something to tell is looked at")
	for i, obs := range seen {
		assert.Equal(t, i == 700, obs.text(proc.Stdout) == "x")
	}
	for _, r := range readers {
		r.print(t, "y")
	}
	for range 1000/maxEvents + 1 { // all at once, and each has its turn
		p.after(2 * restTime)
	}
	for _, obs := range seen {
		assert.Contains(t, obs.text(proc.Stdout), "y")
	}
	for _, r := range readers[:500] {
		r.close()
	}
	assert.Len(t, p.sources, 500)
}

func TestPipeGrowsUnderLoadAndShrinksAfterIt(t *testing.T) {
	p := newStillPoller(t)
	r, _ := p.open()
	size := func() int {
		n, err := unix.FcntlInt(uintptr(r.fd), unix.F_GETPIPE_SZ, 0)
		require.NoError(t, err)
		return n
	}
	first := size()
	r.print(t, strings.Repeat("x", first/2))
	p.after(0)
	assert.Equal(t, first, size())
	load := func() {
		for range 2 {
			fillPipe(t, r.w)
			p.after(0)
		}
	}
	load()
	assert.Equal(t, maxPipe, size())
	assert.EqualValues(t, maxPipe-first, p.seat.in.room.taken.Load())

	silence := func() {
		r.print(t, "x")
		p.after(restTime)
		p.after(restTime)
	}
	silence()
	assert.Equal(t, first, size())
	assert.Zero(t, p.seat.in.room.taken.Load())

	p.seat.in.room.take(maxRoom - 1)
	load()
	assert.Equal(t, first, size(), "all room is taken")
	p.seat.in.room.take(1 - maxRoom)
	silence()
	load()
	assert.Equal(t, maxPipe, size(), "there is room again")
	r.close()
	assert.Zero(t, p.seat.in.room.taken.Load(), "of a closed pipe")
}

// TestPollerSleepsWhileNothingHappens counts how often it is awake: for what happens, and not for what happened
// before.
func TestPollerSleepsWhileNothingHappens(t *testing.T) {
	const lines = 20
	p, err := newPoller()
	require.NoError(t, err)
	var rounds atomic.Int64
	go func() {
		defer close(p.done)
		for p.wait() {
			rounds.Add(1)
			p.round(time.Now())
		}
	}()
	defer p.close()
	seat := seat{&intake{}, p}
	busy, quiet := &testObserver{}, &testObserver{}
	r, other := openReader(t, busy), openReader(t, quiet)
	seat.add(r.reader)
	seat.add(other.reader)
	for range 100 {
		r.print(t, "x")
	}
	waitUntil(t, func() bool { return len(busy.text(proc.Stdout)) == 100 })
	before := rounds.Load()
	for i := range lines {
		other.print(t, "y")
		waitUntil(t, func() bool { return len(quiet.text(proc.Stdout)) == i+1 })
	}
	// The line, and if it came soon after another, the end of a rest with it and of one without.
	assert.LessOrEqual(t, rounds.Load()-before, int64(3*lines+5))
}
