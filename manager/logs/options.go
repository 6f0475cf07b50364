package logs

import "time"

const (
	// DefaultCap is how much of one stream is kept, in bytes, at most.
	DefaultCap = 64 << 20
	// DefaultKeep is how many files of one stream are kept.
	DefaultKeep = 2
)

// Options are what a Log needs. The zero Options are usable.
type Options struct {
	// Cap is how many bytes of one stream are kept at most; 0 is DefaultCap.
	Cap int64
	// Keep is how many files these are in, at least 2; less is DefaultKeep. When the newest is full the oldest is
	// removed, so all but one of Keep parts of Cap are always kept.
	Keep int
	// Trouble is told, in words, that the log cannot be written, and that it can again. It is called
	// within Append or Close and must not block. May be nil.
	Trouble func(message string)
	// Now is the clock; nil is time.Now.
	Now func() time.Time

	disk disk // nil is the operating system's
}

func (o Options) withDefaults() Options {
	if o.Cap <= 0 {
		o.Cap = DefaultCap
	}
	if o.Keep < DefaultKeep {
		o.Keep = DefaultKeep
	}
	if o.Trouble == nil {
		o.Trouble = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.disk == nil {
		o.disk = osDisk{}
	}
	return o
}

// segmentSize is how large a file may become.
func (o Options) segmentSize() int64 { return max(o.Cap/int64(o.Keep), 1) }

// slots is how many pages the index has at most.
func (o Options) slots() int64 { return min(max(o.Cap/4/pageSize, minSlots), maxSlots) }
