package luaapi

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReference holds that nothing of the language is without its words.
func TestReference(t *testing.T) {
	text := Reference()
	for _, w := range words() {
		assert.NotEmpty(t, w.help, w.name)
		assert.Contains(t, text, "| `"+w.usage+"` | ")
	}
	var keys func(d documented)
	keys = func(d documented) {
		for _, k := range d.docs() {
			assert.NotEmpty(t, k.help, k.name)
			assert.NotContains(t, k.help, "\n", k.name)
			assert.NotEmpty(t, k.typ, k.name)
			assert.Contains(t, text, "| `"+k.name+"` | "+strings.ReplaceAll(k.typ, "|", `\|`)+" | "+k.help)
			if k.keys != nil {
				keys(k.keys)
			}
		}
	}
	keys(processKeys)
	for _, v := range []reflect.Type{reflect.TypeFor[view](), reflect.TypeFor[processView](), reflect.TypeFor[matchView]()} {
		for i := range v.NumField() {
			f := v.Field(i)
			_, help, ok := strings.Cut(f.Tag.Get("doc"), ": ")
			assert.True(t, ok, f.Name)
			assert.Contains(t, text, "."+f.Tag.Get("luar")+"` | ")
			assert.Contains(t, text, help)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "|") {
			assert.True(t, strings.HasSuffix(line, " |") || strings.HasSuffix(line, "-|"), line)
		}
	}
}

// TestEveryEventAndAnswerIsDocumented holds the words that stand in prose to the tables they are about.
func TestEveryEventIsDocumented(t *testing.T) {
	for _, e := range events {
		assert.Contains(t, Reference(), "`"+e+"`")
	}
}
