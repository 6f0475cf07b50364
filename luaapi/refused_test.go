package luaapi

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// marker is what a line of testdata/refused says of the trouble that is to be found on it: ### "REGEXP".
var marker = regexp.MustCompile("### (\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")

// TestRefused loads every recipe of testdata/refused. What is told of it and the markers in it must be the
// same: no trouble without a marker, no marker without its trouble.
func TestRefused(t *testing.T) {
	paths, err := filepath.Glob("testdata/refused/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".lua"), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			wanted := map[int][]*regexp.Regexp{}
			for i, line := range strings.Split(string(src), "\n") {
				for _, m := range marker.FindAllStringSubmatch(line, -1) {
					text, err := strconv.Unquote(m[1])
					require.NoError(t, err, line)
					wanted[i+1] = append(wanted[i+1], regexp.MustCompile(text))
				}
			}
			require.NotEmpty(t, wanted)
			abs, err := filepath.Abs(path)
			require.NoError(t, err)
			_, _, err = Load(context.Background(), testOptions(abs))
			var errs *Errors
			require.ErrorAs(t, err, &errs)
			for _, e := range errs.List {
				if !take(wanted, e) {
					assert.Fail(t, "trouble without a marker", "%v", e)
				}
			}
			for line, rest := range wanted {
				for _, re := range rest {
					assert.Fail(t, "marker without trouble", "%s:%d: %s", path, line, re)
				}
			}
		})
	}
}

// take removes the first marker that e meets, and reports whether there is one.
func take(wanted map[int][]*regexp.Regexp, e Error) bool {
	for i, re := range wanted[e.Line] {
		if re.MatchString(e.Message) {
			wanted[e.Line] = append(wanted[e.Line][:i:i], wanted[e.Line][i+1:]...)
			return true
		}
	}
	return false
}
