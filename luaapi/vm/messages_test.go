package vm

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMessages compares the messages of run-time errors with those of the reference implementation, word for
// word.
func TestMessages(t *testing.T) {
	needReference(t)
	src, err := os.ReadFile("testdata/messages.lua")
	require.NoError(t, err)
	want, err := reference([]string{string(src)})
	require.NoError(t, err)
	w, g := strings.Split(want[0], "\n"), strings.Split(here(string(src)), "\n")
	require.Equal(t, len(w), len(g))
	lines := strings.Split(string(src), "\n")
	// A method call shifts the numbers of arguments there.
	method := regexp.MustCompile(`bad argument #\d|calling '\w+' on bad self`)
	for i := range w {
		assert.Equal(t, method.ReplaceAllString(w[i], "bad argument"), method.ReplaceAllString(g[i], "bad argument"), "%s", lines[min(i+2, len(lines)-1)])
	}
}
