package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSkipHoldsLittle(t *testing.T) {
	for name, block := range map[string]string{
		"plain":       strings.Repeat("x", 64<<10),
		"a title":     "\x1b]" + strings.Repeat("x", 64<<10),
		"short lines": strings.Repeat("\x1b[1mx\n", 10<<10),
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			for range 20 {
				l.Skip([]byte(block))
			}
			assert.LessOrEqual(t, cap(l.c.out), 4*MaxLine)
		})
	}
	var l Lines
	l.Skip(bytes.Repeat([]byte("é"), MaxLine))
	l.Skip([]byte("\n"))
	assert.LessOrEqual(t, cap(l.c.out), 2*maxReady, "the room of a long line that is over")
}
