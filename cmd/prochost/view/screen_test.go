package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScreen(t *testing.T) {
	for height, want := range map[int]string{
		9: "a\nb\nc\nd\n",
		5: "a\nb\nc\nd\n",
		4: "a\nb\n… 2 more\n",
		1: "a\n… 3 more\n",
	} {
		assert.Equal(t, "\x1b[H\x1b[J"+want, string(Screen([]byte("a\nb\nc\nd\n"), height)), height)
	}
}
