package host

import (
	"os"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRecipeStatusTellsWhatDependsOnWhat(t *testing.T) {
	t.Parallel()
	_, s := newService(t, `
process "db" { command = "echo up; exec sleep 1000", ready = { log = "up" } }
job "migrate" { command = "true", depends = { db = "started" } }
process "api" { command = "exec sleep 1000", depends = { db = "ready", migrate = "success" } }
`)
	status, err := s.RecipeStatus(t.Context(), api.Nothing{})
	require.NoError(t, err)
	assert.Equal(t, []string{"db", "migrate", "api"}, status.Processes)
	assert.Equal(t, map[string]map[string]string{
		"migrate": {"db": "started"}, "api": {"db": "ready", "migrate": "success"},
	}, status.Depends)
}

// A recipe that declares nothing any more is applied to whoever says that it is meant so.
func TestReloadOfAnEmptyRecipe(t *testing.T) {
	t.Parallel()
	r, s := newService(t, `process "db" { command = "exec sleep 1000" }`)
	require.NoError(t, os.WriteFile(r.h.opt.Recipe, []byte("-- nothing\n"), 0o600))
	_, err := s.RecipeReload(t.Context(), api.RecipeReloadIn{})
	require.Equal(t, api.ReasonRecipe, api.ReasonOf(err))
	assert.Contains(t, err.(*api.Error).Recipe[0].Message, "prochost reload --allow-empty")

	plan, err := s.RecipeReload(t.Context(), api.RecipeReloadIn{AllowEmpty: true, DryRun: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"db"}, plan.Removed)
	assert.Contains(t, latest(t, s), "db", "that was the plan alone")

	done, err := s.RecipeReload(t.Context(), api.RecipeReloadIn{AllowEmpty: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"db"}, done.Removed)
	status, err := s.RecipeStatus(t.Context(), api.Nothing{})
	require.NoError(t, err)
	assert.Empty(t, status.Processes)
}

// What is written need not be text.
func TestWriteOfBytes(t *testing.T) {
	t.Parallel()
	_, s := newService(t, `process "od" { command = "exec od -An -tx1" }`)
	_, err := s.Write(t.Context(), api.WriteIn{ID: "od", Data: []byte{0xff, 0x00, 0x80}, End: true})
	require.NoError(t, err)
	got, err := s.Wait(t.Context(), api.WaitIn{ID: "od", Pattern: "ff 00 80"})
	require.NoError(t, err)
	assert.Equal(t, "matched", got.What)
}
