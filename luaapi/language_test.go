package luaapi

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLanguage loads the recipes of testdata/language, which assert about themselves.
func TestLanguage(t *testing.T) {
	paths, err := filepath.Glob("testdata/language/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			abs, err := filepath.Abs(path)
			require.NoError(t, err)
			p, _, err := Load(context.Background(), testOptions(abs))
			if assert.NoError(t, err) {
				p.Close()
			}
		})
	}
}
