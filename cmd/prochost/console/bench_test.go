package console

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
)

// BenchmarkOutput shows what a line of output costs, plain and with escapes, without and with colours.
func BenchmarkOutput(b *testing.B) {
	text := strings.Repeat("0123456789", 10)
	for name, opt := range map[string]Options{"plain": {}, "color": {Color: true}, "timestamps": {Timestamps: true}} {
		for kind, text := range map[string]string{"ascii": text, "escapes": "\x1b[32mINFO\x1b[0m " + text, "unicode": "größe " + text} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				c := New(opt)
				e := api.NewOutput(api.Output{Name: "api", Stream: "stdout", Text: text})
				now := time.Now()
				b.ReportAllocs()
				for b.Loop() {
					if c.Event(e, now); c.Len() > 64<<10 {
						c.Flush(io.Discard)
					}
				}
			})
		}
	}
}
