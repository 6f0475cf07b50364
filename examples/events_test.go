package examples

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The examples of events in docs/cli.md have the fields that events have, and none is missing.
func TestEventsOfTheDocumentation(t *testing.T) {
	events := []api.Event{
		api.NewStarted(api.Info{}), api.NewOutput(api.Output{}), api.NewChanged(api.Info{}), api.NewEnded(api.Info{}, nil),
		api.NewNotified(api.Notification{}), api.NewRecipe(api.RecipeLoaded{}), api.NewTrouble("", ""), api.NewHostState("", nil),
	}
	byType := map[string]api.Event{}
	for _, e := range events {
		byType[e.Head().Type] = e
	}
	shown := map[string]bool{}
	for _, b := range blocks(pages(t)["docs/cli.md"]) {
		if b.info != "json" {
			continue
		}
		var head api.Header
		require.NoError(t, json.Unmarshal([]byte(b.text), &head), "docs/cli.md:%d", b.line)
		e := byType[head.Type]
		require.NotNil(t, e, "docs/cli.md:%d: no event is called %q", b.line, head.Type)
		strict := json.NewDecoder(strings.NewReader(b.text))
		strict.DisallowUnknownFields()
		assert.NoError(t, strict.Decode(e), "docs/cli.md:%d", b.line)
		shown[head.Type] = true
	}
	for word := range byType {
		assert.True(t, shown[word], "docs/cli.md shows no %s", word)
	}
}
