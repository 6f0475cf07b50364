package journal

import (
	"fmt"

	"github.com/prochost/prochost/host/journal/wal"
)

// Report is what Open found beside the State.
type Report struct {
	// Torn is how many bytes at the end were cut off: records that were being written when the machine or the host
	// stopped. That they are durable had not been said.
	Torn int64
	// Damage is what had been durable and cannot be read any more. Numbers that it may have held are left out.
	Damage []wal.Damage
	// Outage says that the journal could not be written when the host ended: what happened then may not be here.
	Outage bool
	// Malformed is how many groups are whole and yet no records. This, too, is damage.
	Malformed int
	// Missing are the notifications of the host, by number, that are known to have been in what is damaged.
	Missing []Range
}

// Range is a row of numbers.
type Range struct{ First, Last uint64 }

// Losses says in words what was durable and is lost; it is empty if nothing is.
func (r Report) Losses() []string {
	var out []string
	for _, d := range r.Damage {
		out = append(out, fmt.Sprintf("%d bytes of the journal at byte %d cannot be read; it is kept as %q", d.Length, d.Offset, d.File))
	}
	if r.Malformed > 0 {
		out = append(out, fmt.Sprintf("%d groups of records of the journal make no sense", r.Malformed))
	}
	for _, m := range r.Missing {
		if m.First == m.Last {
			out = append(out, fmt.Sprintf("notification %d is missing", m.First))
		} else {
			out = append(out, fmt.Sprintf("notifications %d to %d are missing", m.First, m.Last))
		}
	}
	if r.Outage {
		out = append(out, "the journal could not be written when the host ended")
	}
	return out
}
