package journal

import (
	"encoding/binary"
	"fmt"

	"github.com/prochost/prochost/host/journal/wal"
)

// Record is one fact. The set is closed: see kinds.
type Record interface {
	kind() kind
	fields(f *fields)
}

// kind is the number of a type of records in the file. It never changes its meaning.
type kind uint64

const (
	kindInstance kind = iota + 1
	kindStopping
	kindEnded
	kindCleared
	kindNotified
	kindWorded
	kindDelivered
	kindAcknowledged
	kindSessionOpened
	kindSessionClosed
	kindNumbers

	// optional is the first kind that a reader who does not know it may skip. One below it stops an older reader,
	// since without it the others would be misunderstood.
	optional kind = 64
)

// kinds makes an empty record of each kind.
var kinds = map[kind]func() Record{
	kindInstance:      func() Record { return new(Instance) },
	kindStopping:      func() Record { return new(Stopping) },
	kindEnded:         func() Record { return new(Ended) },
	kindCleared:       func() Record { return new(Cleared) },
	kindNotified:      func() Record { return new(Notified) },
	kindWorded:        func() Record { return new(Worded) },
	kindDelivered:     func() Record { return new(Delivered) },
	kindAcknowledged:  func() Record { return new(Acknowledged) },
	kindSessionOpened: func() Record { return new(SessionOpened) },
	kindSessionClosed: func() Record { return new(SessionClosed) },
	kindNumbers:       func() Record { return new(Numbers) },
}

// encode returns records as one group: of each the kind, the length and the fields.
func encode(records []Record) []byte {
	var group []byte
	f := fields{encode: true}
	for _, r := range records {
		f.out = f.out[:0]
		r.fields(&f)
		group = binary.AppendUvarint(group, uint64(r.kind()))
		group = binary.AppendUvarint(group, uint64(len(f.out)))
		group = append(group, f.out...)
	}
	return group
}

// decode returns the records of a group, none of which aliases it. The error is errMalformed or wraps ErrVersion.
func decode(group []byte) (records []Record, err error) {
	var f fields
	for len(group) > 0 {
		k, n := binary.Uvarint(group)
		if n <= 0 {
			return nil, errMalformed
		}
		group = group[n:]
		size, n := binary.Uvarint(group)
		if n <= 0 || size > uint64(len(group)-n) {
			return nil, errMalformed
		}
		body := group[n : n+int(size)]
		group = group[n+int(size):]

		empty := kinds[kind(k)]
		switch {
		case empty != nil:
		case kind(k) >= optional:
			continue
		default:
			return nil, fmt.Errorf("a record of kind %d: %w", k, wal.ErrVersion)
		}
		r := empty()
		f.read(body, string(body))
		if f.err == nil {
			r.fields(&f)
		}
		if f.err != nil {
			return nil, f.err
		}
		records = append(records, r)
	}
	return records, nil
}
