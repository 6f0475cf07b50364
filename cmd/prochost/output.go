package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/prochost/prochost/cmd/prochost/view"
	"golang.org/x/term"
)

// errReaderGone says that nobody reads stdout any more, as after `prochost logs | head`. It ends a verb, and is no
// failure.
var errReaderGone = errors.New("nobody reads the output any more")

// write writes to stdout.
func (a *app) write(b []byte) error {
	_, err := a.stdout.Write(b)
	return written(err)
}

// written is what the error of a write to stdout means.
func written(err error) error {
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errReaderGone
	case err != nil:
		return fmt.Errorf("write the output: %w", err)
	}
	return nil
}

// unread reports whether err is that of a write to stdout which nobody reads any more.
func (a *app) unread(err error) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && errors.Is(failed.Err, syscall.EPIPE) && failed.Path == a.stdout.Name()
}

// writeJSON writes v to stdout, on one line.
func (a *app) writeJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	return a.write(b.Bytes())
}

// say tells a person something beside the output.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// shown is how a view is shown on stdout.
func (a *app) shown(color string) view.Options {
	opt := view.Options{Color: useColor(color, term.IsTerminal(int(a.stdout.Fd())), a.getenv)}
	if width, _, err := term.GetSize(int(a.stdout.Fd())); err == nil {
		opt.Width = width
	}
	return opt
}
