package journal

import (
	"fmt"

	"github.com/prochost/prochost/host/journal/wal"
)

// Errors that a caller may ask for.
var (
	// ErrNotDurable is wrapped when records could not be made durable yet. They are kept in memory, and it is tried
	// again; they must not be appended again.
	ErrNotDurable = wal.ErrNotDurable
	// ErrClosed is reported for records that come after Close.
	ErrClosed = wal.ErrClosed
	// ErrTooLarge is wrapped for more records in one group than can be written.
	ErrTooLarge = wal.ErrTooLarge
	// ErrVersion is wrapped by Open for a journal of a later version, which it leaves as it is.
	ErrVersion = wal.ErrVersion
)

// Options of a journal. The zero Options are usable.
type Options struct {
	// Outage is told why nothing can be made durable, once, and nil when everything is durable again. It must not
	// block. May be nil.
	Outage func(err error)
}

// Journal is an open journal. Its methods may be called by any goroutine.
type Journal struct{ log *wal.Log }

// Open opens the journal in a directory, which is made if there is none, and returns what it holds. The State is the
// caller's own. That nobody else has the journal open is up to the caller. An error is an unreadable directory or
// file, or wraps ErrVersion; neither a full disk nor damage is one.
func Open(dir string, o Options) (*Journal, *State, Report, error) {
	m := &memory{state: NewState()}
	log, found, err := wal.Open(dir, m, wal.Options{Outage: o.Outage})
	if err != nil {
		return nil, nil, Report{}, err
	}
	report := Report{Torn: found.Torn, Damage: found.Damage, Outage: found.Outage, Malformed: m.malformed, Missing: m.missing}
	return &Journal{log}, m.found, report, nil
}

// Append hands over records that are to be durable all together or not at all, and returns at once. then is called
// when they are, or with an error that wraps ErrNotDurable when they cannot be made so; it is called by the goroutine
// of the journal, in the order of the calls of Append, must not block, and may be nil. Without records it tells of
// those before.
//
// The records are not used after Append has returned. An error of Append itself is ErrClosed or wraps ErrTooLarge,
// and then is not called.
func (j *Journal) Append(then func(error), records ...Record) error {
	if err := j.log.Append(encode(records), then); err != nil {
		return fmt.Errorf("append to the journal: %w", err)
	}
	return nil
}

// Write appends records and waits until they are durable.
func (j *Journal) Write(records ...Record) error {
	done := make(chan error, 1)
	if err := j.Append(func(err error) { done <- err }, records...); err != nil {
		return err
	}
	return <-done
}

// Close makes durable what was appended and ends the journal. An error says that not everything is.
func (j *Journal) Close() error { return j.log.Close() }
