package host

import (
	"fmt"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// tap is the output of one instance as a feed reads it.
type tap struct {
	id    proc.ID
	name  string
	lines *logs.LineReader
}

// next returns the next whole line that is there, nil if there is none.
func (t *tap) next() api.Event {
	if l, ok := t.lines.Next(); ok {
		return t.output(l)
	}
	return nil
}

// before returns the next whole line within the first upTo bytes.
func (t *tap) before(upTo int64) api.Event {
	if l, ok := t.lines.NextWithin(upTo); ok {
		return t.output(l)
	}
	return nil
}

// rest returns a line that has no end, when no more comes.
func (t *tap) rest() api.Event {
	if l, ok := t.lines.Flush(); ok {
		return t.output(l)
	}
	return nil
}

func (t *tap) output(l logs.Line) api.Event {
	o := api.NewOutput(api.Output{ID: string(t.id), Name: t.name, Stream: l.Stream.String(), Line: l.Number})
	o.Time = api.Millis(l.Time)
	switch {
	case l.Gap > 0:
		o.Text = fmt.Sprintf("… [%d bytes of output are gone: the log was rotated before they could be shown]", l.Gap)
	case l.Dropped > 0:
		o.Text = fmt.Sprintf("… [%d bytes of output are missing: the log could not be written]", l.Dropped)
	default:
		o.Text = text.Raw(l.Raw, l.Truncated)
	}
	return o
}
