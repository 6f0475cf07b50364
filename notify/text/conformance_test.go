package text

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type displayVector struct{ Raw, Plain string }

func displayVectors(tb testing.TB) []displayVector {
	dir := cmp.Or(os.Getenv("PROCHOST_CONFORMANCE"), filepath.Join("..", "testdata", "conformance"))
	b, err := os.ReadFile(filepath.Join(dir, "display.json"))
	require.NoError(tb, err)
	var vectors []displayVector
	require.NoError(tb, json.Unmarshal(b, &vectors))
	require.NotEmpty(tb, vectors)
	return vectors
}

func TestConformanceDisplay(t *testing.T) {
	for i, v := range displayVectors(t) {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			assert.Equal(t, v.Plain, Visible([]byte(v.Raw)), "Visible(%q)", v.Raw)
		})
	}
}
