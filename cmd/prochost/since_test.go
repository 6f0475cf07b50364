package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParseSince(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, 11, 30, 9, 30, 0, 0, berlin)
	for word, want := range map[string]string{
		"10m":                       "2026-11-30T09:20:00+01:00",
		"1h30m":                     "2026-11-30T08:00:00+01:00",
		"0s":                        "2026-11-30T09:30:00+01:00",
		"09:15":                     "2026-11-30T09:15:00+01:00",
		"09:30":                     "2026-11-30T09:30:00+01:00",
		"23:59:58":                  "2026-11-29T23:59:58+01:00",
		"09:15:00.250":              "2026-11-30T09:15:00.25+01:00",
		"2026-11-29":                "2026-11-29T00:00:00+01:00",
		"2026-11-29 08:00":          "2026-11-29T08:00:00+01:00",
		"2026-11-29T08:00:01":       "2026-11-29T08:00:01+01:00",
		"2026-11-29T08:00:01Z":      "2026-11-29T08:00:01Z",
		"2026-11-29 08:00:01+05:00": "2026-11-29T08:00:01+05:00",
	} {
		got, err := parseSince(word, now)
		assert.NoError(t, err, word)
		assert.Equal(t, want, got.Format(time.RFC3339Nano), word)
	}
	for _, word := range []string{"", "10", "-5m", "yesterday", "25:00", "2026-13-01", "9h30"} {
		_, err := parseSince(word, now)
		assert.ErrorContains(t, err, "is a duration such as 10m, or a time", word)
	}
}
