package manager

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// stdinPatience bounds a write, waiting for its turn included: whoever writes to a process that does not read
// has an answer within a second.
const stdinPatience = 750 * time.Millisecond

// stdin is the writing end of a process's standard input. Writers take turns, so that their bytes do not mix.
// A nil stdin is closed.
type stdin struct {
	file   *os.File
	kept   *keeping
	turn   chan struct{} // holds one token
	closed atomic.Bool
}

func newStdin(f *os.File, kept *keeping) *stdin {
	w := &stdin{file: f, kept: kept, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

// write writes p and then, if end is set and all of it was taken, closes. It returns how many bytes the pipe
// took.
func (w *stdin) write(ctx context.Context, p []byte, end bool) (int, error) {
	if w == nil {
		return 0, ErrStdinClosed
	}
	ctx, cancel := context.WithTimeout(ctx, stdinPatience)
	defer cancel()
	select {
	case <-w.turn:
		defer func() { w.turn <- struct{}{} }()
	case <-ctx.Done():
		return 0, patienceOver(ctx)
	}
	if w.closed.Load() {
		return 0, ErrStdinClosed
	}
	n, err := w.writeUntil(ctx, p)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, patienceOver(ctx)
	case errors.Is(err, os.ErrClosed), errors.Is(err, syscall.EPIPE):
		return n, ErrStdinClosed
	case err != nil:
		return n, err
	}
	if end {
		w.close()
	}
	return n, nil
}

// writeUntil writes until ctx ends.
func (w *stdin) writeUntil(ctx context.Context, p []byte) (int, error) {
	w.file.SetWriteDeadline(time.Time{}) // that of an earlier writer may have passed
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		w.file.SetWriteDeadline(time.Unix(1, 0))
		close(interrupted)
	})
	n, err := w.file.Write(p)
	if !stop() {
		<-interrupted // it must not reach into the next writer's turn
	}
	return n, err
}

// patienceOver says why a writer does not wait longer.
func patienceOver(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return ErrStdinFull
}

// close ends the input for the process. A writer that waits returns.
func (w *stdin) close() {
	if w != nil && !w.closed.Swap(true) {
		w.file.Close()
		w.kept.shutStdin()
	}
}
