package spell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"process", "profile", "override", "on", "env", "dotenv"}
	for word, want := range map[string]string{
		"proces": "process", "Process": "process", "porcess": "process", "dotnev": "dotenv", "overide": "override",
		"no": "on", "xyz": "", "": "", "something_else": "",
	} {
		assert.Equal(t, want, Nearest(word, known), "Nearest(%q)", word)
	}
}
