package luaapi

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequires(t *testing.T) {
	for _, c := range []struct {
		version, wanted string
		good            bool
	}{
		{"0.3.1", ">=0.3", true},
		{"0.3.1", ">=0.3, <1", true},
		{"0.3.1", ">=0.3.2", false},
		{"0.3.1", "<0.3", false},
		{"0.3.1", "~0.3", true},
		{"v0.3.1", "0.3", true},
		{"0.3.0-rc1", ">=0.3", true}, // has what 0.3 has
		{"0.3.0-rc1", ">=0.4", false},
		{"0.3.1+dirty", ">=0.3.1", true},
		{"(devel)", ">=99", true}, // built from a checkout
		{"", ">=99", true},
	} {
		opt := testOptions(filepath.Join(write(t, map[string]string{"prochost.lua": fmt.Sprintf("requires %q", c.wanted)}), "prochost.lua"))
		opt.Version = c.version
		p, _, err := Load(t.Context(), opt)
		if !c.good {
			assert.EqualError(t, err, fmt.Sprintf("prochost.lua:1: requires prochost %s, this is %s", c.wanted, c.version))
			continue
		}
		require.NoError(t, err, "%s of %s", c.wanted, c.version)
		p.Close()
	}
}
