package console

import (
	"io"
	"time"

	"github.com/prochost/prochost/host/api"
)

// Options of a Console.
type Options struct {
	Color      bool           // colours, and those of the processes
	Timestamps bool           // before every line
	Location   *time.Location // of the timestamps; nil: the local one
	Dir        string         // absolute; paths are shown relative to it
	// Terse leaves out the lines about processes, and of those about the host what went as it should: somebody
	// else shows them.
	Terse bool
	// Bare leaves out the name and the sign before lines of output: they are of one process.
	Bare bool
	// Source reads a file, to show the line that is wrong; nil: lines of source are not shown.
	Source func(path string) ([]byte, error)
	// Hint says that a person can press Ctrl-C again.
	Hint bool
}

// Console shows a host to a person. It is not safe for concurrent use.
type Console struct {
	opt    Options
	buf    []byte
	gutter gutter
	wipe   bool // what the terminal echoed stands where the next line begins

	ends  []untold // ends whose notification has not come yet
	stop  stopping
	tally tally
	stand []api.RecipeError // what is wrong with the recipe on disk
	path  string            // of the recipe, as it is shown
}

// New returns a Console.
func New(opt Options) *Console {
	if opt.Location == nil {
		opt.Location = time.Local
	}
	return &Console{opt: opt}
}

// Event shows an event that is handled at now.
func (c *Console) Event(e api.Event, now time.Time) {
	at := e.Head().Time
	switch e := e.(type) {
	case *api.Snapshot:
		c.snapshot(e)
	case *api.Output:
		c.output(e)
	case *api.Started:
		c.started(e, at)
	case *api.Changed:
		c.changed(e, at, now)
	case *api.Ended:
		c.ended(e, at, now)
	case *api.Notified:
		c.notified(e.Notification, at)
	case *api.RecipeLoaded:
		c.recipe(e, at)
	case *api.Trouble:
		c.line(at, "", trouble, none, e.What+": "+e.Message)
	case *api.HostState:
		c.host(e, at, now)
	case *api.Lagged:
		c.lagged(e, now)
	}
}

// Print shows a text that the recipe printed.
func (c *Console) Print(text string, now time.Time) {
	for line := range lines(text) {
		c.begin(now.UnixMilli(), "prochost", stdoutLine)
		c.raw(line)
	}
}

// Warn shows a line of the program's own about what is wrong.
func (c *Console) Warn(text string, now time.Time) {
	c.line(now.UnixMilli(), "", trouble, none, text)
}

// Deadline is when Tick has something to show; ok is false if that depends on events alone.
func (c *Console) Deadline() (t time.Time, ok bool) {
	t, ok = c.stop.deadline()
	if len(c.ends) > 0 && (!ok || c.ends[0].due.Before(t)) {
		t, ok = c.ends[0].due, true
	}
	return t, ok
}

// Tick shows what is due at now.
func (c *Console) Tick(now time.Time) {
	c.showUntold(func(u untold) bool { return !u.due.After(now) })
	c.progress(now)
}

// Close shows how it all ended.
func (c *Console) Close(now time.Time) {
	c.showUntold(func(untold) bool { return true })
	c.summary(now.UnixMilli())
}

// Len is how many bytes wait for Flush.
func (c *Console) Len() int { return len(c.buf) }

// Flush writes what has gathered. It is gone even if that is in vain.
func (c *Console) Flush(w io.Writer) error {
	if len(c.buf) == 0 {
		return nil
	}
	_, err := w.Write(c.buf)
	c.buf = c.buf[:0]
	if cap(c.buf) > maxBuffer {
		c.buf = nil
	}
	return err
}

// maxBuffer bounds the memory that is kept from one Flush to the next.
const maxBuffer = 256 << 10
