package manager

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestWriteAndEnd(t *testing.T) {
	h := openHost(t)
	id := h.start(h.argv("cat"))
	n, err := h.Write(t.Context(), id, []byte("one\n"), false)
	assert.Equal(t, 4, n)
	assert.NoError(t, err)
	n, err = h.Write(t.Context(), id, []byte("two\n"), true)
	assert.Equal(t, 4, n)
	assert.NoError(t, err)
	assert.Equal(t, proc.ExitedWith(0), h.ended(id).End)
	assert.Equal(t, "one\ntwo\n", h.observer(id).text(proc.Stdout))
	_, err = h.Write(t.Context(), id, []byte("three"), false)
	assert.ErrorIs(t, err, ErrEnded)
}

func TestWriteToClosedInput(t *testing.T) {
	h := openHost(t)
	id := h.start(h.argv("sleep", h.token))
	_, err := h.Write(t.Context(), id, nil, true)
	assert.NoError(t, err)
	_, err = h.Write(t.Context(), id, []byte("x"), false)
	assert.ErrorIs(t, err, ErrStdinClosed)

	null := h.argv("cat")
	null.Stdin = proc.StdinNull
	id = h.start(null)
	assert.Equal(t, proc.ExitedWith(0), h.ended(id).End, "the null device ends at once")
	sleep := h.argv("sleep", h.token)
	sleep.Stdin = proc.StdinNull
	_, err = h.Write(t.Context(), h.start(sleep), []byte("x"), false)
	assert.ErrorIs(t, err, ErrStdinClosed)

	closed := h.running(h.sh("exec <&-; echo ready; $nap"))
	_, err = h.Write(t.Context(), closed, []byte("x"), false)
	assert.ErrorIs(t, err, ErrStdinClosed)

	_, err = h.Write(t.Context(), "proc_none", []byte("x"), false)
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestWriteToWhomDoesNotRead(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	stuck := h.start(h.argv("sleep", h.token))
	reads := h.start(h.argv("cat"))
	flood := bytes.Repeat([]byte("x"), 50<<20)

	var asked sync.WaitGroup
	for range 3 { // each has its answer, also those whose turn does not come
		asked.Go(func() {
			n, err := h.Write(t.Context(), stuck, flood, true)
			assert.ErrorIs(t, err, ErrStdinFull)
			assert.Less(t, n, len(flood))
		})
	}
	_, err := h.Write(t.Context(), reads, []byte("fine\n"), true)
	assert.NoError(t, err)
	h.ended(reads)
	asked.Wait()

	r := h.stop(stuck, proc.StopRequest{})
	assert.True(t, r.OK)
}

func TestWriteAfterOneThatTimedOut(t *testing.T) {
	t.Parallel()
	h := openHost(t)
	gate := newGate(t)
	id := h.start(h.sh("read x <" + gate.path + "; exec cat >/dev/null"))
	n, err := h.Write(t.Context(), id, make([]byte, 1<<20), true)
	assert.ErrorIs(t, err, ErrStdinFull)
	assert.Positive(t, n)
	gate.open()
	n, err = h.Write(t.Context(), id, []byte("rest"), true)
	assert.NoError(t, err)
	assert.Equal(t, 4, n)
	assert.Equal(t, proc.ExitedWith(0), h.ended(id).End)
}

func TestWriteEndsWithItsContextAndWithTheProcess(t *testing.T) {
	h := openHost(t)
	flood := bytes.Repeat([]byte("x"), 1<<20)
	id := h.start(h.argv("sleep", h.token))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	n, err := h.Write(ctx, id, flood, false)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, n, len(flood))

	done := make(chan error, 1)
	go func() {
		_, err := h.Write(t.Context(), id, flood, false)
		done <- err
	}()
	h.stop(id, proc.StopRequest{Force: true})
	err = <-done
	require.Error(t, err)
}
