package main

import (
	"fmt"
	"strings"
	"time"
)

// clockForms are the ways to write a time of day, dayForms those with a day.
var (
	clockForms = []string{"15:04", "15:04:05", "15:04:05.000"}
	dayForms   = []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.000"}
)

// parseSince reads the beginning of what is to be shown: a duration before now, or a time. A time of day is the last
// such time before now.
func parseSince(word string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(word); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, strings.Replace(word, " ", "T", 1)); err == nil {
		return t, nil
	}
	for _, form := range dayForms {
		if t, err := time.ParseInLocation(form, word, now.Location()); err == nil {
			return t, nil
		}
	}
	for _, form := range clockForms {
		t, err := time.ParseInLocation(form, word, now.Location())
		if err != nil {
			continue
		}
		y, m, d := now.Date()
		at := func(day int) time.Time {
			return time.Date(y, m, day, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), now.Location())
		}
		if today := at(d); !today.After(now) {
			return today, nil
		}
		return at(d - 1), nil
	}
	return time.Time{}, fmt.Errorf("is a duration such as 10m, or a time such as 14:30 or 2026-11-30T14:30:00Z, not %q", word)
}

// moment is the value of a flag that parseSince reads.
type moment struct{ value *time.Time }

func (m moment) Type() string { return "TIME" }

func (m moment) String() string {
	if m.value == nil || m.value.IsZero() {
		return ""
	}
	return m.value.Format(time.RFC3339)
}

func (m moment) Set(word string) (err error) {
	*m.value, err = parseSince(word, time.Now())
	return err
}
