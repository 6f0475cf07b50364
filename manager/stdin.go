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
//
// Into a terminal it is typed. That has no end of its own: what ends the input for whoever reads it is a
// character, at the beginning of a line, and whoever reads after that reads on.
type stdin struct {
	file   *os.File
	kept   *keeping
	turn   chan struct{} // holds one token
	closed atomic.Bool
	typed  bool // file is our end of a terminal, and not closed here
	within bool // the last byte ended no line; for whoever has the turn
}

func newStdin(f *os.File, kept *keeping) *stdin {
	w := &stdin{file: f, kept: kept, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

func newTyped(f *os.File) *stdin {
	w := newStdin(f, nil) // a Keeper has nothing to close
	w.typed = true
	return w
}

// eot ends the input of a terminal, at the beginning of a line. Within one it hands over the line as it is.
const eot = 4

// end returns what is typed to end the input.
func (w *stdin) end() []byte {
	if w.within {
		return []byte{eot, eot}
	}
	return []byte{eot}
}

// write writes p and then, if end is set and all of it was taken, ends the input. It returns how many bytes of p
// were taken.
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
	if n > 0 {
		w.within = p[n-1] != '\n' && p[n-1] != '\r'
	}
	if w.typed && end && err == nil {
		_, err = w.writeUntil(ctx, w.end())
		w.within = false
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, patienceOver(ctx)
	case errors.Is(err, os.ErrClosed), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.EIO): // EIO: of a terminal
		return n, ErrStdinClosed
	case err != nil:
		return n, err
	}
	if end && !w.typed {
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
	switch {
	case w == nil || w.closed.Swap(true):
	case w.typed:
		w.file.SetWriteDeadline(time.Unix(1, 0))
	default:
		w.file.Close()
		w.kept.shutStdin()
	}
}
