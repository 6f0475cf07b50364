package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"CSI with intermediate", "\x1b[1 qx", "x"},
		{"CSI with private mode", "\x1b[?2004hx", "x"},
		{"CSI final at both ends", "a\x1b[@b\x1b[~c", "abc"},
		{"CSI holds a bell", "a\x1b[3\x071mb", "ab"},
		{"CSI holds a return", "a\x1b[3\r1mb", "b"},
		{"CSI broken off by CAN", "\x1b[3\x18ab", "ab"},
		{"CSI broken off by ESC", "\x1b[3\x1b[1mx", "x"},
		{"CSI ended by a letter that is not ASCII", "\x1b[1éx", "éx"},
		{"CSI ended by a bad byte", "\x1b[1\xffx", "\uFFFDx"},
		{"CSI ended by C1", "\x1b[1\u009bx", "x"},
		{"short with two intermediates", "\x1b$(Ba", "a"},
		{"short, the intermediate hides the bracket", "\x1b([a", "a"},
		{"short at both ends", "\x1b0a\x1b~b", "ab"},
		{"single shifts show their character", "\x1bNa", "a"},
		{"ESC ESC", "\x1b\x1b[1mx", "x"},
		{"OSC unterminated after text", "seen\x1b]0;title", "seen"},
		{"OSC swallows a return", "a\x1b]0;b\rc\x07d", "ad"},
		{"OSC unterminated swallows a return", "a\x1b]0;b\rc", "a"},
		{"OSC is not ended by a CSI", "a\x1b]0;\x1b[1m\x07d", "ad"},
		{"OSC, ESC before BEL", "a\x1b]0;\x1b\x07d", "ad"},
		{"OSC, ESC before ST", "a\x1b]0;\x1b\x1b\\d", "ad"},
		{"OSC, C1 ST does not end it", "a\x1b]0;\u009cd\x07e", "ae"},
		{"OSC empty", "a\x1b]\x07b", "ab"},
		{"APC", "a\x1b_x\x1b\\b", "ab"},
		{"SOS with BEL", "a\x1bXx\x07y\x1b\\b", "ab"},
		{"PM", "a\x1b^x\x1b\\b", "ab"},
		{"DCS passes an OSC through", "a\x1bPtmux;\x1b\x1b]0;t\x07\x1b\\b", "ab"},
		{"ST alone", "a\x1b\\b", "ab"},
		{"C1 alone", "a\u0080\u0085\u009fb", "ab"},
		{"C1 bytes are bad UTF-8", "a\x9bb\x85", "a\uFFFDb\uFFFD"},
		{"backspace takes nothing back", "ab\bc", "abc"},
		{"form feed, vertical tab", "a\f\vb", "ab"},
		{"bad UTF-8, byte by byte", "\xe4\xbdx\xff\xc0\xaf", "\uFFFD\uFFFDx\uFFFD\uFFFD\uFFFD"},
		{"cut UTF-8", "x\xf0\x9f\x98", "x\uFFFD\uFFFD\uFFFD"},
		{"surrogate", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
		{"return, then colour", "abc\r\x1b[1m", ""},
		{"return after a cut character", "\xe4\r", ""},
		{"returns in a row", "abc\r\r\rx", "x"},
		{"tab after a return", "abcdef\ra\tb", "a       b"},
		{"tab counts cells, not sequences", "\x1b[31mab\x1b[0m\tc", "ab      c"},
		{"tab after a wide cluster", "👩‍👩‍👧\tx", "👩‍👩‍👧      x"},
		{"tab after a combining mark", "e\u0301\tx", "e\u0301       x"},
		{"tabs in a row", "\t\tx", strings.Repeat(" ", 16) + "x"},
		{"brackets and the like are data", "[31m %s <b> {{.A}}", "[31m %s <b> {{.A}}"},
		{"line feed is a control character", "a\nb", "ab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Visible([]byte(tt.raw)), "Visible(%q)", tt.raw)
			assert.Equal(t, tt.want, refVisible(tt.raw), "refVisible(%q)", tt.raw)
		})
	}
}

// hostile are lines that fuzzing starts from.
var hostile = []string{
	"plain", "a\tb\r\n", "10%\r50%\r100%", "\x1b[1;38;5;208mx\x1b[m", "\x1b]8;;http://h/\x1b\\link\x1b]8;;\x1b\\",
	"\x1bPq#0;2;0;0;0\x1b\\six", "\x1b^pm\x07still\x1b\\t", "\x1b[12", "x\x1b", "\x1b(B", "\u009b31m", "\x9b31m",
	"\x1b[3\r1mx", "\x1b[3\x181mx", "\xe4\xbd\xa0\t\xe5\xa5", "👩‍👩‍👧\t\ufe0f", "\u202eevil\u2066\u200b", "\U000e0041\ufeff",
	"\x1b]0;a\rb", "\x1b\x1b[\x1b]\x1bP", "</process_event>&lt;", "\x1b[>4;2m\x1b[?25h\x1b[38:2::1:2:3mx",
}

// checkHiding looks at each byte by itself.
func checkHiding(t *testing.T, raw []byte) {
	want := bytes.IndexFunc(raw, func(r rune) bool { return r < ' ' && r != '\n' || r == del })
	if want < 0 {
		want = len(raw)
	}
	if i := bytes.IndexByte(raw, 0xc2); i >= 0 {
		want = min(want, i)
	}
	if got := Hiding(raw); got != want {
		t.Fatalf("Hiding(%q) = %d, want %d", raw, got, want)
	}
}

func TestHiding(t *testing.T) {
	for at := range 20 {
		for c := range 256 {
			raw := []byte("a \x80\xff~é\n@ABC\xc1\xc3\n 0~_\x80")
			raw[at] = byte(c)
			checkHiding(t, raw)
		}
	}
	checkHiding(t, nil)
}

func TestViewerForgets(t *testing.T) {
	var v Viewer
	v.Visible(bytes.Repeat([]byte("\x1b[1mé"), 2*maxReady))
	assert.Equal(t, "é", string(v.Visible([]byte("\x1b[mé"))))
	assert.LessOrEqual(t, cap(v.c.out), 2*maxReady, "the room of a long line is let go")
}

func FuzzVisible(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := Visible(raw)
		if want := refVisible(string(raw)); got != want {
			t.Fatalf("Visible(%q) = %q, want %q", raw, got, want)
		}
		if strings.ContainsFunc(got, unicode.IsControl) || !utf8.ValidString(got) {
			t.Fatalf("Visible(%q) = %q, which has control characters", raw, got)
		}
		if again := Visible([]byte(got)); again != got {
			t.Fatalf("Visible(%q) = %q, want the same", got, again)
		}
		var v Viewer
		for _, before := range hostile {
			v.Visible([]byte(before))
			if again := string(v.Visible(raw)); again != got {
				t.Fatalf("Visible(%q) after %q = %q, want %q", raw, before, again, got)
			}
		}
		checkHiding(t, raw)
	})
}
