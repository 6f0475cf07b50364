package vm

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idiom is a program of testdata/idioms.txt. Each begins with a comment that names it, at the start of a line
// that follows no other comment.
type idiom struct{ name, source string }

func readIdioms(t *testing.T) []idiom {
	data, err := os.ReadFile("testdata/idioms.txt")
	require.NoError(t, err)
	var list []idiom
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "-- "); ok {
			list = append(list, idiom{name: strings.TrimSpace(name)})
			continue
		}
		list[len(list)-1].source += line
	}
	return list
}

// TestIdioms compares what people write with the golden output in testdata/idioms.golden, which the reference
// implementation wrote.
func TestIdioms(t *testing.T) {
	needReference(t)
	idioms := readIdioms(t)
	sources := make([]string, len(idioms))
	for i, d := range idioms {
		sources[i] = d.source
	}
	outputs, err := reference(sources)
	require.NoError(t, err)
	var golden strings.Builder
	for i, d := range idioms {
		outputs[i] = neutral(outputs[i])
		golden.WriteString("-- " + d.name + "\n" + outputs[i])
	}
	if os.Getenv("PROCHOST_UPDATE") != "" {
		require.NoError(t, os.WriteFile("testdata/idioms.golden", []byte(golden.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/idioms.golden")
	require.NoError(t, err)
	require.Equal(t, string(want), golden.String(), "the reference implementation differs from the golden output")
	for i, d := range idioms {
		assert.Equal(t, outputs[i], neutral(here(d.source)), "%s:\n%s", d.name, d.source)
	}
}

// neutral takes out of an output what is worded otherwise here: the messages of the interpreter, and the sign
// of a NaN.
func neutral(output string) string {
	output = strings.ReplaceAll(output, "-nan", "nan")
	for _, m := range []string{"attempt to ", "bad argument #"} {
		for i := strings.Index(output, m); i >= 0; {
			end := strings.IndexAny(output[i:], "\n\t")
			output = output[:i] + "<" + m[:3] + ">" + output[i+end:]
			i = strings.Index(output, m)
		}
	}
	return output
}
