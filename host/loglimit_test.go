package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a recipe says of a log holds for the instances that are started from then on.
func TestLogOfARecipe(t *testing.T) {
	t.Parallel()
	r := newRig(t, `
process "much" { command = "yes 'a line of output' | head -c 200000; exit 3", log = { cap = "64 KiB", keep = 4 }, restart = { on = "failure", delay = "1ms", max = 1 } }
process "plain" { command = "yes 'a line of output' | head -c 200000" }
`)
	for _, e := range r.finish() {
		end, ok := e.(*api.Ended)
		if !ok {
			continue
		}
		files, err := filepath.Glob(filepath.Join(filepath.Dir(end.Process.StdoutFile), end.Process.ID+"-stdout*.log"))
		require.NoError(t, err)
		var size int64
		for _, f := range files {
			info, err := os.Stat(f)
			require.NoError(t, err)
			size += info.Size()
		}
		if end.Process.Name == "plain" {
			assert.Len(t, files, 1)
			assert.EqualValues(t, 200000, size)
		} else {
			assert.Len(t, files, 4)
			assert.LessOrEqual(t, size, int64(64<<10))
			assert.Greater(t, size, int64(3*16<<10), "all but one of the files are full")
		}
	}
}
