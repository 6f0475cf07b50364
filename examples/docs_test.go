package examples

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prochost/prochost/luaapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages are the documentation: the README and all of docs, by path from the top of the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range []string{"README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		found[name] = string(text)
	}
	err := fs.WalkDir(os.DirFS(root), "docs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		found[path] = string(text)
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(found), 10)
	return found
}

// block is a fenced block of code.
type block struct {
	info string // what stands behind the opening fence
	text string
	line int // of the opening fence
}

func blocks(page string) (found []block) {
	var open *block
	for i, line := range strings.Split(page, "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			open = &block{info: fence, line: i + 1}
		case isFence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return found
}

// A block of Lua is a whole recipe unless it says that it is a fragment.
func TestRecipesOfTheDocumentationAreGood(t *testing.T) {
	t.Parallel()
	recipes := 0
	for path, page := range pages(t) {
		for _, b := range blocks(page) {
			if b.info != "lua" {
				continue
			}
			recipes++
			file := filepath.Join(t.TempDir(), "prochost.lua")
			require.NoError(t, os.WriteFile(file, []byte(b.text), 0o600))
			program, _, err := luaapi.Load(t.Context(), luaapi.Options{
				Path: file, Env: os.Environ(), Shell: []string{"/bin/sh", "-c"}, Version: "0.0.0", Print: func(string) {},
			})
			if assert.NoError(t, err, "%s:%d", path, b.line) {
				program.Close()
			}
		}
	}
	assert.Greater(t, recipes, 8)
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors are the places of a page that a link may lead to.
func anchors(page string) map[string]bool {
	found := map[string]bool{"": true}
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		found[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
	}
	return found
}

func TestLinksOfTheDocumentationLeadSomewhere(t *testing.T) {
	all := pages(t)
	links := 0
	for path, page := range all {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); !assert.NoError(t, err, "%s: link to %s", path, m[1]) {
				continue
			}
			if text, isPage := all[target]; isPage {
				assert.True(t, anchors(text)[anchor], "%s: link to %s: no such heading", path, m[1])
			}
		}
	}
	assert.Greater(t, links, 20)
}

// The two commands that a newcomer types first stand in the README as they are, each on a line of its own.
func TestReadmeHasTheTwoCommands(t *testing.T) {
	readme := pages(t)["README.md"]
	var commands []string
	for _, b := range blocks(readme) {
		if b.info == "sh" {
			commands = append(commands, strings.Split(strings.TrimSpace(b.text), "\n")...)
		}
	}
	require.NotEmpty(t, commands)
	assert.Equal(t, []string{
		"go run ./cmd/prochost up -f examples/tour/prochost.lua",
		"go test ./...",
	}, commands)
}

// Whoever adds a page, a decision or an example has to mention it where a reader would look for it.
func TestEverythingIsListed(t *testing.T) {
	all := pages(t)
	for path := range all {
		switch dir := filepath.Dir(path); {
		case path == "README.md" || path == "docs/decisions/README.md":
		case dir == "docs/decisions":
			assert.Contains(t, all["docs/decisions/README.md"], "("+filepath.Base(path)+")")
		default:
			assert.Contains(t, all["README.md"], "("+path+")")
		}
	}
	recipes, err := filepath.Glob("*/prochost.lua")
	require.NoError(t, err)
	for _, recipe := range recipes {
		assert.Contains(t, all["README.md"], fmt.Sprintf("(examples/%s)", filepath.Dir(recipe)))
	}
}
