package proc

import "fmt"

// Stream is one of the two output streams of a process.
type Stream uint8

const (
	Stdout Stream = iota
	Stderr
	NumStreams int = iota
)

// String returns the wire word.
func (s Stream) String() string {
	switch s {
	case Stdout:
		return "stdout"
	case Stderr:
		return "stderr"
	}
	return fmt.Sprintf("stream(%d)", uint8(s))
}

// MarshalText implements encoding.TextMarshaler.
func (s Stream) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Stream) UnmarshalText(b []byte) error {
	switch string(b) {
	case "stdout":
		*s = Stdout
	case "stderr":
		*s = Stderr
	default:
		return fmt.Errorf("unknown stream %q: want stdout or stderr", b)
	}
	return nil
}

// Observer sees the output of one process as it is read.
type Observer interface {
	// Output is called with every block in order of arrival, never concurrently, before Ended is
	// emitted and never after it. It must not keep the slice and must not block.
	Output(s Stream, block []byte)
	// Flush is called once, after the last block and before Ended: a final line without a line end
	// is complete.
	Flush()
}
