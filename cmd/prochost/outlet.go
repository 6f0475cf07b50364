package main

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// outlet is a stream that somebody reads. What goes wrong with it is told once and is no error to whoever writes: the
// processes go on, seen or not.
type outlet struct {
	w    io.Writer
	lost func(err error) // told the first error
	done atomic.Int64    // writes that came back

	failed bool
	gone   bool // nobody reads it any more
	torn   bool // the last write ended within a line
}

// Write never returns an error.
func (o *outlet) Write(b []byte) (int, error) {
	if o.gone || len(b) == 0 {
		return len(b), nil
	}
	whole := b
	if o.torn { // what comes after a gap begins a line of its own
		whole = append([]byte{'\n'}, b...)
	}
	n, err := o.w.Write(whole)
	o.done.Add(1)
	if n > 0 {
		o.torn = whole[n-1] != '\n'
	}
	if err != nil {
		o.gone = errors.Is(err, syscall.EPIPE)
		if !o.failed {
			o.failed = true
			o.lost(err)
		}
	}
	return len(b), nil
}
