package host

import (
	"fmt"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// tap is the output of one instance as a feed reads it.
type tap struct {
	id    proc.ID
	name  string
	lines *logs.LineReader // nil: the log is gone, so late has the reader come
	told  int64            // of a log that is gone: the bytes that it was told of
}

// next returns the next whole line that is there, nil if there is none.
func (t *tap) next() api.Event {
	if t.lines == nil {
		return nil
	}
	if l, ok := t.lines.Next(); ok {
		return t.output(l)
	}
	return nil
}

// before returns the next whole line within the first upTo bytes.
func (t *tap) before(upTo int64) api.Event {
	if t.lines == nil {
		return t.gone(upTo)
	}
	if l, ok := t.lines.NextWithin(upTo); ok {
		return t.output(l)
	}
	return nil
}

// rest returns a line that has no end, when no more comes.
func (t *tap) rest() api.Event {
	if t.lines == nil {
		return nil
	}
	if l, ok := t.lines.Flush(); ok {
		return t.output(l)
	}
	return nil
}

// gone tells of what cannot be shown any more of the first upTo bytes; nil if that was told.
func (t *tap) gone(upTo int64) api.Event {
	if upTo <= t.told {
		return nil
	}
	o := api.NewOutput(api.Output{ID: string(t.id), Name: t.name, Stream: proc.Stdout.String()})
	o.Time = api.Millis(time.Now())
	o.Text = fmt.Sprintf("… [%d bytes of output are gone: the log was removed before they could be shown]", upTo-t.told)
	t.told = upTo
	return o
}

func (t *tap) close() {
	if t.lines != nil {
		t.lines.Close()
	}
}

// visible returns the next line that is there as people see it, nil if there is none.
func (t *tap) visible() *api.Output {
	l, ok := t.lines.Next()
	if !ok {
		if l, ok = t.lines.Flush(); !ok {
			return nil
		}
	}
	return &api.Output{ID: string(t.id), Name: t.name, Stream: l.Stream.String(), Line: l.Number, Text: visible(l)}
}

// visible is a line, or the mark that stands for some, as people see it.
func visible(l logs.Line) string {
	if mark := mark(l); mark != "" {
		return mark
	}
	return text.Visible(l.Raw)
}

// mark says what is missing at a place; "" where a line stands.
func mark(l logs.Line) string {
	switch {
	case l.Gap > 0:
		return fmt.Sprintf("… [%d bytes of output are gone: the log was rotated before they could be shown]", l.Gap)
	case l.Dropped > 0:
		return fmt.Sprintf("… [%d bytes of output are missing: the log could not be written]", l.Dropped)
	}
	return ""
}

func (t *tap) output(l logs.Line) *api.Output {
	o := api.NewOutput(api.Output{ID: string(t.id), Name: t.name, Stream: l.Stream.String(), Line: l.Number})
	o.Time = api.Millis(l.Time)
	if o.Text = mark(l); o.Text == "" {
		o.Text = text.Raw(l.Raw, l.Truncated)
	}
	return o
}
