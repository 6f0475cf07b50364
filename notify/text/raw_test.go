package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestRaw(t *testing.T) {
	limit := strings.Repeat("x", MaxRaw)
	for _, tt := range []struct {
		name, raw string
		cut       bool
		want      string
	}{
		{"as it came", "\x1b[31m10%\r\t20%\x00", false, "\x1b[31m10%\r\t20%\x00"},
		{"bad UTF-8", "a\xff\xe4\xbdz", false, "a\uFFFD\uFFFD\uFFFDz"},
		{"just", limit, false, limit},
		{"over", limit + "x", false, limit + CutMark},
		{"between characters", limit[1:] + "é", false, limit[1:] + CutMark},
		{"cut before", "x", true, "x" + CutMark},
		{"longer as UTF-8", strings.Repeat("\xff", MaxRaw), false, strings.Repeat("\uFFFD", MaxRaw/3) + CutMark},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Raw([]byte(tt.raw), tt.cut)
			assert.True(t, got == tt.want, "got %.60q (%d bytes), want %.60q (%d bytes)", got, len(got), tt.want, len(tt.want))
		})
	}
}

func TestCut(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, tt := range []struct {
		s    string
		max  int
		want string
	}{
		{long[:160], 160, long[:160]},
		{long[:161], 160, long[:157] + "..."},
		{strings.Repeat("é", 160), 160, strings.Repeat("é", 160)},
		{strings.Repeat("é", 161), 160, strings.Repeat("é", 157) + "..."},
		{"abcdef", 5, "ab..."},
		{"abcdef", 4, "a..."},
		{"abcdef", 3, "..."},
		{"abcdef", 2, ".."},
		{"abcdef", 0, ""},
		{"", 0, ""},
	} {
		assert.Equal(t, tt.want, Cut(tt.s, tt.max), "Cut(%q, %d)", tt.s, tt.max)
	}
}

func FuzzRaw(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s), uint8(0), 5)
		f.Add([]byte(s), uint8(13), 160)
	}
	f.Fuzz(func(t *testing.T, raw []byte, times uint8, limit int) {
		raw = []byte(strings.Repeat(string(raw), 1<<(times%14)))
		if len(raw) > 1<<20 {
			return
		}
		s := Raw(raw, false)
		if !utf8.ValidString(s) || len(s) > MaxRaw+len(CutMark) {
			t.Fatalf("Raw(%.99q) = %.99q", raw, s)
		}
		if whole := valid(raw); len(whole) <= MaxRaw && s != whole {
			t.Fatalf("Raw(%.99q) = %.99q, want %.99q", raw, s, whole)
		}
		limit &= 0xffff
		cut := Cut(s, limit)
		if n := utf8.RuneCountInString(cut); n > limit || n < min(limit, utf8.RuneCountInString(s)) || !utf8.ValidString(cut) {
			t.Fatalf("Cut(%.99q, %d) = %.99q with %d characters", s, limit, cut, n)
		}
	})
}
