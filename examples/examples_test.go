package examples

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTour(t *testing.T) {
	t.Parallel()
	r := up(t, nil, "-f", "examples/tour/prochost.lua")
	assert.Equal(t, 0, r.code, "the restart has mended the crash")
	r.inOrder(t,
		"db starts", "db is ready",
		"migrate starts", "migrate ends with 0",
		"api starts", "api ends with 3",
		"api tells crash (turn): api broke, its last words: panic: there was no cache",
		"api starts", "api is ready",
		"worker starts",
		"worker tells log_match (turn): customer of order 3 waits",
		"worker ends with 0",
		"worker tells success (turn): worker finished",
	)
	r.inOrder(t, "worker starts", "api ends with 0", "api tells success (context)")
	r.inOrder(t, "worker starts", "db ends with 0")
	r.inOrder(t, "migrate ends with 0", "migrate tells success (context)")
	r.never(t, "trouble")
	assert.Empty(t, r.notifications("db"), "a good end may be silent")
	assert.Equal(t, 5, r.count())

	crash := r.notifications("api")[0]
	assert.True(t, crash.TriggerTurn)
	assert.True(t, crash.WillRestart)
	assert.Contains(t, crash.Fact, "api crashed with exit code 3", "the fact stands beside the words")
	assert.Contains(t, crash.Fact, "restarts in 500ms")

	log, err := os.ReadFile(r.last("db").StdoutFile)
	require.NoError(t, err)
	assert.Equal(t, "opening files\nready to accept connections\nclosing files\n", string(log), "the bytes as they came")
}

func TestWeb(t *testing.T) {
	t.Parallel()
	needPython(t)
	r := up(t, []string{fmt.Sprintf("PORT=%d", freePort(t))}, "-f", "examples/web/prochost.lua", "--exit-on", "smoke")
	assert.Equal(t, 0, r.code)
	r.inOrder(t,
		"api starts", "api is ready", "worker starts", "smoke starts",
		"api tells log_match (context): api rejected an order: no item in it",
		"smoke ends with 0", "worker ends by SIGTERM", "api ends by SIGTERM",
	)
	r.inOrder(t, "smoke ends with 0", "smoke tells success (turn): smoke finished")
	r.inOrder(t, "worker ends by SIGTERM", "worker tells killed (context): worker was stopped by SIGTERM")
	r.inOrder(t, "api ends by SIGTERM", "api tells killed (context): api was stopped by SIGTERM")
	r.never(t, "trouble")
	assert.Equal(t, 4, r.count())
	assert.NoDirExists(t, "web/__pycache__", "an example leaves nothing in its folder")
	for _, n := range append(r.notifications("worker"), r.notifications("api")...) {
		assert.False(t, n.TriggerTurn, "an intended stop wakes nobody: %s", n.Summary)
	}
}

// The example is run in a copy, for it builds a program beside its recipe.
func TestGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("go")))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "bin")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example\n\ngo 1.26\n"), 0o600))
	r := up(t, nil, "-f", filepath.Join(dir, "prochost.lua"))
	assert.Equal(t, 0, r.code)
	for _, check := range []string{"vet", "test", "build"} {
		r.inOrder(t, check+" starts", check+" ends with 0", "importer starts")
		assert.Empty(t, r.notifications(check))
	}
	r.inOrder(t,
		"importer starts",
		"importer tells log_match (turn): an order was left out: spoon: runtime error: integer divide by zero",
		"importer ends with 0",
		"compare starts", "compare ends with 1",
		"compare tells success (context): compare finished with exit code 1 (a success)",
	)
	r.never(t, "trouble")
	imported := r.notifications("importer")
	require.Len(t, imported, 2)
	assert.Regexp(t, `^success \(turn\): 3 of 4 orders imported in \d+\.\d s$`, told(imported[1]))
	assert.Equal(t, 3, r.count())
}

func TestCI(t *testing.T) {
	t.Parallel()
	r := up(t, nil, "-f", "examples/ci/prochost.lua", "--exit-on", "failure")
	assert.Equal(t, 7, r.code, "the exit code of what failed")
	r.inOrder(t,
		"server starts", "server is ready",
		"unit starts", "unit ends with 7", "unit tells crash (turn): TestDivide failed: 1/3 = 0",
	)
	r.inOrder(t, "unit ends with 7", "server ends by SIGTERM", "server tells killed (context): server was stopped by SIGTERM")
	r.inOrder(t, "lint starts", "lint ends with 0", "unit starts")
	assert.Equal(t, "to see it alone: make unit ONLY=TestDivide", r.notifications("unit")[0].Body)
	r.never(t, "e2e starts")
	r.never(t, "trouble")
	assert.Equal(t, 2, r.count())
	assert.False(t, r.notifications("server")[0].TriggerTurn, "an intended stop wakes nobody")
}

// Every folder has a recipe that is good, and a test above: an example that nobody runs is none.
func TestCheck(t *testing.T) {
	tested := map[string]bool{"tour": true, "web": true, "go": true, "ci": true}
	recipes, err := filepath.Glob("*/prochost.lua")
	require.NoError(t, err)
	for _, recipe := range recipes {
		code, stdout, stderr := command(t, nil, "check", "-f", filepath.Join("examples", recipe))
		assert.Equal(t, 0, code, "%s: %s%s", recipe, stdout, stderr)
		assert.True(t, tested[filepath.Dir(recipe)], "%s: no test runs it", recipe)
		delete(tested, filepath.Dir(recipe))
	}
	assert.Empty(t, tested, "no recipe")
}

func needPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("examples/web needs python3, and in CI it has to be there")
		}
		t.Skip("examples/web needs python3")
	}
}

// freePort returns a port that nobody listens on. It lies below those that the system gives to outgoing
// connections, so that none of these takes it before the example does.
func freePort(t *testing.T) int {
	for range 100 {
		port := 20000 + rand.IntN(12000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no free port between 20000 and 32000")
	return 0
}
