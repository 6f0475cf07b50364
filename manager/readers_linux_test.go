package manager

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// TestReaderIsDrainedExactly: what the pipe holds is handed on, and nothing that comes later has to be waited
// for, though somebody writes as fast as it is read.
func TestReaderIsDrainedExactly(t *testing.T) {
	const held = 100_000 // more than is read at a time
	flood := &flood{}
	r := openReader(t, flood)
	flood.w = r.w
	_, err := unix.FcntlInt(r.w.Fd(), unix.F_SETPIPE_SZ, maxPipe)
	require.NoError(t, err)
	_, err = r.w.Write(make([]byte, held))
	require.NoError(t, err)
	r.drain()
	assert.Equal(t, held, flood.seen)
	r.drain()
	assert.Equal(t, 2*held, flood.seen, "what was written meanwhile")
}

// TestEndIsNoticedWithoutAPoller is the end of a child that is discarded, since its start took too long.
func TestEndIsNoticedWithoutAPoller(t *testing.T) {
	in, err := newIntake()
	require.NoError(t, err)
	in.close()
	l, err := launch("late", proc.Spec{Name: "late", Argv: []string{"sh", "-c", "exit 3"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}}, nil)
	require.NoError(t, err)
	h := newHandle(l, in.seat())
	<-h.over()
	st, is := h.status()
	assert.True(t, is)
	assert.Equal(t, leaderStatus{known: true, code: 3}, st)
	h.reap()
	h.close()
	l.closePipes()
}

// flood writes as much as it sees.
type flood struct {
	w    *os.File
	seen int
}

func (f *flood) Output(_ proc.Stream, p []byte) {
	f.seen += len(p)
	f.w.Write(p)
}

func (f *flood) Flush() {}
