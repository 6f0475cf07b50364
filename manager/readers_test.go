package manager

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// pipeReader is a reader, and the other end of its pipe.
type pipeReader struct {
	*reader
	w     *os.File
	ended chan struct{}
}

// openReader returns a reader that nobody reads yet.
func openReader(t *testing.T, obs proc.Observer) *pipeReader {
	t.Helper()
	r, w, err := pipe()
	require.NoError(t, err)
	syscall.SetNonblock(r, true)
	syscall.SetNonblock(w, true)
	p := &pipeReader{w: os.NewFile(uintptr(w), "pipe"), ended: make(chan struct{})}
	p.reader = newReader(proc.Stdout, r, newOutput(obs), func() { close(p.ended) })
	t.Cleanup(func() {
		p.w.Close()
		p.close()
	})
	return p
}

func (p *pipeReader) print(t *testing.T, text string) {
	t.Helper()
	_, err := p.w.WriteString(text)
	require.NoError(t, err)
}

// intakes are the ways in which a stream is read.
var intakes = map[string]func(t *testing.T, r *reader){
	"poller": func(t *testing.T, r *reader) {
		in, err := newIntake()
		require.NoError(t, err)
		t.Cleanup(in.close)
		in.seat().add(r)
	},
	"goroutine": func(_ *testing.T, r *reader) { r.follow() },
	"too late": func(t *testing.T, r *reader) {
		in, err := newIntake()
		require.NoError(t, err)
		in.close()
		in.seat().add(r)
	},
}

func eachIntake(t *testing.T, test func(t *testing.T, add func(r *reader))) {
	for name, add := range intakes {
		t.Run(name, func(t *testing.T) { test(t, func(r *reader) { add(t, r) }) })
	}
}

func TestReaderReadsToTheEnd(t *testing.T) {
	eachIntake(t, func(t *testing.T, add func(r *reader)) {
		obs := &testObserver{}
		r := openReader(t, obs)
		r.print(t, "before ")
		add(r.reader)
		r.print(t, "and after")
		r.w.Close()
		<-r.ended
		assert.Equal(t, "before and after", obs.text(proc.Stdout))
	})
}

func TestReaderIsClosedWhileItWaits(t *testing.T) {
	eachIntake(t, func(t *testing.T, add func(r *reader)) {
		r := openReader(t, nil)
		add(r.reader)
		r.close()
		<-r.ended
		r.close() // once more does nothing
		_, err := r.w.WriteString("x")
		assert.ErrorIs(t, err, syscall.EPIPE)
	})
}

func TestReaderIsClosedBeforeItIsRead(t *testing.T) {
	eachIntake(t, func(t *testing.T, add func(r *reader)) {
		r := openReader(t, nil)
		r.close()
		add(r.reader)
		<-r.ended
	})
}

// TestDrainWaitsForWhatIsOnItsWay: when a drain returns, a block that had been read before has been handed on.
func TestDrainWaitsForWhatIsOnItsWay(t *testing.T) {
	eachIntake(t, func(t *testing.T, add func(r *reader)) {
		obs := &slow{arrived: make(chan struct{}), goOn: make(chan struct{})}
		r := openReader(t, obs)
		add(r.reader)
		r.print(t, "last words")
		<-obs.arrived
		drained := make(chan string)
		go func() {
			r.drain()
			drained <- obs.taken
		}()
		for range 100 { // a drain that does not wait is over by then
			runtime.Gosched()
		}
		close(obs.goOn)
		assert.Equal(t, "last words", <-drained)
	})
}

// slow takes what arrives when it is told to.
type slow struct {
	arrived, goOn chan struct{}
	taken         string
}

func (o *slow) Output(_ proc.Stream, p []byte) {
	close(o.arrived)
	<-o.goOn
	o.taken += string(p)
}

func (o *slow) Flush() {}
