package main

import (
	"encoding/json"
	"testing"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func psHost() *fakeHost {
	return &fakeHost{
		all: []api.Info{
			ended("p1", "api", 3), running("p2", "sleep", 2), running("p3", "api", 3), ended("p4", "job", 1),
			declared("web", "waiting", "web waits for api to be ready"),
		},
		usage:  []api.Usage{{ID: "p3", CPU: 0.5, Memory: 1 << 20, Ports: []api.Port{{Protocol: "tcp", Port: 80}}}, {ID: "p4", Memory: 5}},
		status: api.RecipeStatus{Processes: []string{"web", "api", "job"}},
	}
}

// names runs ps -q.
func names(t *testing.T, args ...string) result {
	return psHost().typed(t, append([]string{"ps", "-q"}, args...)...)
}

func TestPsShowsWhatTheRecipeDeclaresFirst(t *testing.T) {
	assert.Equal(t, result{stdout: "web\napi\njob\nsleep\n"}, names(t))
	assert.Equal(t, result{stdout: "web\napi\napi\njob\nsleep\n"}, names(t, "-a"), "earlier instances too")
}

func TestPsSelects(t *testing.T) {
	assert.Equal(t, "api\nsleep\n", names(t, "api", "sl*").stdout)
	assert.Equal(t, "api\napi\n", names(t, "-a", "api").stdout)
	assert.Equal(t, "api\n", names(t, "p1").stdout, "an id, whatever followed it")
	assert.Equal(t, "job\n", names(t, "--status", "failed").stdout)
	assert.Equal(t, "", names(t, "--status", "failed", "api").stdout)
	got := names(t, "apii")
	assert.Equal(t, exitUnknownName, got.code)
	assert.Equal(t, "prochost: no process is named \"apii\"; did you mean \"api\"?\n", got.stderr)
	assert.Empty(t, got.stdout)
}

func TestPsAsJSON(t *testing.T) {
	got := psHost().typed(t, "ps", "--json")
	require.Equal(t, 0, got.code)
	var list []view.Process
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &list), got.stdout)
	require.Len(t, list, 4)
	assert.Equal(t, "web waits for api to be ready", list[0].Why)
	assert.Equal(t, int64(1<<20), list[1].Usage.Memory)
	assert.Nil(t, list[2].Usage, "what has ended uses nothing")
	assert.Nil(t, list[3].Usage)

	assert.Equal(t, "[]\n", (&fakeHost{}).typed(t, "ps", "--json").stdout)
}

func TestPsAsATable(t *testing.T) {
	h := psHost()
	got := h.typed(t, "ps", "job", "web")
	assert.Equal(t, "NAME  STATUS", got.stdout[:12])
	assert.Regexp(t, `(?m)^web +waiting .* waits for api to be ready$`, got.stdout)
	assert.Regexp(t, `(?m)^job +exited \(1\) `, got.stdout)
	assert.Empty(t, got.stderr)

	assert.NotRegexp(t, "^ID ", got.stdout)
	assert.Regexp(t, `(?m)^p1 +api `, h.typed(t, "ps", "-a").stdout, "with ids")
	h.all = append(h.all, running("p8", "sleep", 8))
	assert.Regexp(t, `(?m)^p8 +sleep `, h.typed(t, "ps").stdout, "a name that several bear needs them")

	h.status.Path, h.status.Errors = "/p/prochost.lua", []api.RecipeError{{File: "prochost.lua", Line: 3, Message: "unknown key"}}
	got = h.typed(t, "ps")
	assert.Equal(t, 0, got.code)
	assert.Contains(t, got.stderr, "The recipe on disk is broken, and the last good one stays in force:\n")
	assert.Contains(t, got.stderr, "prochost.lua:3: unknown key\n")

	got = h.typed(t, "ps", "--watch")
	assert.Equal(t, exitUsage, got.code)
	assert.Contains(t, got.stderr, "--watch is for a terminal")
}
