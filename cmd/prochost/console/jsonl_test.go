package console

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asJSON is what encoding/json makes of an event.
func asJSON(t *testing.T, e api.Event) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(e))
	return b.String()
}

func TestAppendJSON(t *testing.T) {
	pid := 4
	for _, e := range []api.Event{
		api.NewOutput(api.Output{}),
		api.NewOutput(api.Output{Header: api.Header{Time: 5, Seq: 7}, ID: "proc_a", Name: `a "b" \ <c> & ü`, Stream: "stderr", Line: 3,
			Text: "\x00\x07\b\t\n\v\f\r\x1b[31m\x7f \u0085 \u2028\u2029 \u00e4 日本 \U0001F469 <b> &amp; {{.A}} %s \\u0041"}),
		api.NewOutput(api.Output{Text: "bad \xff\xfe\xc3 end\xe2\x80"}),
		api.NewStarted(api.Info{ID: "x", PID: &pid, Command: "echo '<b>' && false"}),
		api.NewHostState("stopping", []string{"a", "<b>"}),
		api.NewTrouble("log", "disk full: \"/x\"\nand more"),
	} {
		got, err := AppendJSON([]byte("before "), e)
		require.NoError(t, err)
		assert.Equal(t, "before "+asJSON(t, e), string(got))
		assert.Equal(t, 1, strings.Count(string(got), "\n"), "one line")
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[31m\xff\u2028\"\\")
	f.Fuzz(func(t *testing.T, s string) {
		o := api.NewOutput(api.Output{Text: s})
		got, err := AppendJSON(nil, o)
		require.NoError(t, err)
		assert.Equal(t, asJSON(t, o), string(got))
		assert.True(t, json.Valid(got))
	})
}

func BenchmarkAppendJSON(b *testing.B) {
	o := api.NewOutput(api.Output{Header: api.Header{Time: 1}, ID: "proc_4kq2m7yhs3vd", Name: "api", Stream: "stdout", Line: 12345, Text: strings.Repeat("0123456789", 10)})
	var buf []byte
	for b.Loop() {
		buf, _ = AppendJSON(buf[:0], o)
	}
}
