package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkIngest lets one child write at full speed through the whole host, with its log on disk: beside it, the same
// bytes through cat. The figure to look at is the ratio of the two.
func BenchmarkIngest(b *testing.B) {
	const size = 256 << 20
	line := "a line of a hundred bytes as a server may write it: GET /orders/4711 200 in 12 ms, and a few more, yes"
	writer := fmt.Sprintf("yes '%s' | head -c %d", line, size)
	run := func(b *testing.B, command, extra string) {
		b.SetBytes(size)
		for b.Loop() {
			dir := b.TempDir()
			recipe := filepath.Join(dir, "prochost.lua")
			text := fmt.Sprintf("process 'f' { command = [==[%s]==], %s }", command, extra)
			if err := os.WriteFile(recipe, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			h, err := New(Options{Recipe: recipe, Env: os.Environ(), Shell: []string{"/bin/sh", "-c"}, LogDir: filepath.Join(dir, "logs"), NoWatch: true})
			if err != nil {
				b.Fatal(err)
			}
			if code, err := h.Run(context.Background()); code != 0 || err != nil {
				b.Fatal(code, err)
			}
		}
	}
	b.Run("cat", func(b *testing.B) { run(b, writer+" | cat > out", "") })
	b.Run("plain", func(b *testing.B) { run(b, writer, "") })
	watches := ""
	for i := range 20 {
		watches += fmt.Sprintf("{ pattern = 'watch number %d' },", i)
	}
	b.Run("literals", func(b *testing.B) { run(b, writer, "notify = { logMatches = { "+watches+" } }") })
}
