package examples

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/prochost/prochost/scripts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the generated parts of docs")

// generated are the parts of the documentation that the program itself knows best, by page and mark.
var generated = map[string]map[string]func(t *testing.T) string{
	"docs/notifications.md": {"kinds": kinds, "choices": choices, "limits": limits},
	"docs/recipes.md":       {"errors": brokenRecipe, "matchers": matchers, "reference": func(*testing.T) string { return luaapi.Reference() }},
	"docs/architecture.md":  {"packages": packages},
	"docs/cli.md":           {"help": help},
	"docs/api.md":           {"operations": operations},
}

func TestGeneratedPartsAreCurrent(t *testing.T) {
	for path, parts := range generated {
		t.Run(path, func(t *testing.T) {
			file := filepath.Join(root, path)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			page := string(text)
			for mark, generate := range parts {
				page = replace(t, page, mark, generate(t))
			}
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
				return
			}
			assert.Equal(t, page, string(text), "`go test ./examples -update` rewrites it")
		})
	}
}

// replace puts text between the marks of a page.
func replace(t *testing.T, page, mark, text string) string {
	t.Helper()
	begin, end := "<!-- BEGIN "+mark+" -->\n", "<!-- END "+mark+" -->"
	before, rest, begins := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	require.True(t, begins && ends, "there is no place for %s", mark)
	return before + begin + strings.TrimRight(text, "\n") + "\n" + end + after
}

// kinds is the table of ends, from one sample of each.
func kinds(*testing.T) string {
	const sample = 3 // any exit code but 0
	var b strings.Builder
	b.WriteString("| what happened | status | endReason | exitCode | kind |\n| --- | --- | --- | --- | --- |\n")
	for _, row := range []struct {
		what string
		end  proc.End
	}{
		{"it returned 0", proc.ExitedWith(0)},
		{"it returned a code that the recipe lists as success", proc.ExitedWith(sample, sample)},
		{"it returned any other code", proc.ExitedWith(sample)},
		{"it could not be started: no such command or directory, not executable", proc.NeverRan(errors.New("no such command"))},
		{"it died of its own fault: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS", proc.EndedBySignal(syscall.SIGSEGV, false)},
		{"a signal from outside ended it", proc.EndedBySignal(syscall.SIGKILL, false)},
		{"a signal of prochost's own ended it, as somebody had asked", proc.EndedBySignal(syscall.SIGTERM, true)},
		{"it is gone, and the system kept no status", proc.Vanished(false)},
	} {
		code := "none"
		switch c, ok := row.end.ExitCode(); {
		case ok && c == sample:
			code = "its code"
		case ok:
			code = fmt.Sprint(c)
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | `%s` |\n", row.what, row.end.Status(), row.end.Reason(), code, notify.Classify(row.end))
	}
	return b.String()
}

// choices is what each setting comes to for each kind of end, as Decide has it.
func choices(t *testing.T) string {
	ends := map[notify.Kind]proc.End{
		notify.Success: proc.ExitedWith(0),
		notify.Crash:   proc.ExitedWith(3),
		notify.Failure: proc.EndedBySignal(syscall.SIGSEGV, false),
		notify.Killed:  proc.EndedBySignal(syscall.SIGKILL, false),
	}
	outcome := func(kind notify.Kind, key, wish string, stop *proc.StopRequest) string {
		var c notify.Config
		if wish != "" {
			w, err := notify.ParseWish(wish)
			require.NoError(t, err)
			switch key {
			case "onSuccess":
				c.OnSuccess = w
			case "onFailure":
				c.OnFailure = w
			case "onKilled":
				c.OnKilled = w
			}
		}
		n, told := notify.Decide(proc.Ended{End: ends[kind], Stop: stop}, c.Policy(), notify.Circumstances{})
		require.Equal(t, kind, n.Kind())
		if !told {
			return "not told"
		}
		return n.Attention().String()
	}
	var b strings.Builder
	b.WriteString("| key | for ends of kind | default | `\"turn\"` | `\"context\"` | `\"ignore\"` |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, row := range []struct {
		key   string
		kinds []notify.Kind
	}{
		{"onSuccess", []notify.Kind{notify.Success}},
		{"onFailure", []notify.Kind{notify.Crash, notify.Failure}},
		{"onKilled", []notify.Kind{notify.Killed}},
	} {
		var names, cells []string
		for _, kind := range row.kinds {
			names = append(names, "`"+kind.String()+"`")
			var of []string
			for _, wish := range []string{"", "turn", "context", "ignore"} {
				of = append(of, outcome(kind, row.key, wish, nil))
				require.Equal(t, "context", outcome(kind, row.key, wish, &proc.StopRequest{}), "a stop that was asked for")
			}
			require.True(t, cells == nil || slices.Equal(cells, of), "one row for two kinds that differ")
			cells = of
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", row.key, strings.Join(names, ", "), strings.Join(cells, " | "))
	}
	return b.String()
}

func limits(t *testing.T) string {
	var retries []string
	for n := 1; ; n++ {
		delay, again := notify.RetryDelay(notify.Crash, n)
		if !again {
			break
		}
		retries = append(retries, fmt.Sprint(delay.Milliseconds()))
	}
	seconds := func(d time.Duration) string {
		require.Zero(t, d%time.Second)
		return fmt.Sprintf("%d s", d/time.Second)
	}
	var b strings.Builder
	b.WriteString("| what | limit |\n| --- | --- |\n")
	for _, row := range [][2]string{
		{"log matchers of a process", fmt.Sprint(notify.MaxMatchers)},
		{"log matches told, of all processes together", fmt.Sprintf("%d in %s", notify.MaxMatchesPerWindow, seconds(notify.Window))},
		{"a matcher with `repeats` sleeps after it fired", seconds(notify.Cooldown)},
		{"length of a line that is looked at", fmt.Sprintf("%d characters", notify.MaxLine)},
		{"a message of an end that could not be delivered is tried again", strings.Join(retries, ", ") + " ms later, then more and more slowly"},
		{"a hook's summary", fmt.Sprintf("%d bytes", notify.MaxSummary)},
		{"a hook's body", fmt.Sprintf("%d bytes", notify.MaxBody)},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	return b.String()
}

// brokenRecipe is what check says of a recipe in which several things are wrong.
func brokenRecipe(t *testing.T) string {
	recipe := `process "api" {
  comand  = "./api",
  depends = { databse = "ready" },
  notify  = { onsuccess = "context" },
  restart = { delay = 500 },
}

process "database" { command = "postgres -D .pgdata" }
`
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prochost.lua"), []byte(recipe), 0o600))
	code, stdout, stderr := command(t, nil, "check", "-f", filepath.Join(dir, "prochost.lua"))
	assert.Equal(t, 1, code)
	// A path is shown from the working directory on where that is shorter.
	from, err := filepath.Abs(root)
	require.NoError(t, err)
	rel, err := filepath.Rel(from, dir)
	require.NoError(t, err)
	shown := strings.NewReplacer(dir+"/", "", rel+"/", "").Replace(string(stdout) + stderr)
	return "```lua fragment\n" + recipe + "```\n\n" + fenced(shown)
}

// matchers lists those of the embedded library, by the comments in it.
func matchers(t *testing.T) string {
	src, ok := scripts.Module("matchers")
	require.True(t, ok)
	var b strings.Builder
	b.WriteString("| matcher | tells of |\n| --- | --- |\n")
	for _, m := range regexp.MustCompile(`(?m)^--- (.+)\nM\.(\w+) =`).FindAllSubmatch(src, -1) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", m[2], m[1])
	}
	return b.String()
}

func fenced(text string) string { return "```text\n" + strings.TrimSpace(text) + "\n```\n" }

// help is what the program says of itself and of each verb, but for the flags that all have.
func help(t *testing.T) string {
	says := func(args ...string) string {
		code, stdout, stderr := command(t, nil, args...)
		assert.Equal(t, 0, code)
		assert.Empty(t, stderr)
		return string(stdout)
	}
	whole := says("help")
	var b strings.Builder
	b.WriteString(fenced("$ prochost help\n" + whole))
	verbs, _, _ := strings.Cut(whole, "\nTopics (")
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+)  +\S`).FindAllStringSubmatch(verbs, -1) {
		verb := m[1]
		if verb == "help" || verb == "completion" {
			continue
		}
		text, _, _ := strings.Cut(says("help", verb), "\nFlags of every verb:")
		fmt.Fprintf(&b, "\n### prochost %s\n\n%s", verb, fenced(text))
	}
	return b.String()
}

// packages lists those of the program, with the first sentence of what each says of itself and those of ours that
// it imports.
func packages(t *testing.T) string {
	const module = "github.com/prochost/prochost/"
	list := exec.Command("go", "list", "-json=ImportPath,Doc,Imports", "./...")
	list.Dir = root
	out, err := list.Output()
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("| package | what it is for | imports of ours |\n| --- | --- | --- |\n")
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			ImportPath, Doc string
			Imports         []string
		}
		require.NoError(t, d.Decode(&p))
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasPrefix(name, "examples") {
			continue
		}
		require.NotEmpty(t, p.Doc, "%s says nothing of itself", name)
		var ours []string
		for _, i := range p.Imports {
			if short, ok := strings.CutPrefix(i, module); ok {
				ours = append(ours, "`"+short+"`")
			}
		}
		doc := regexp.MustCompile(`^(Package|Command) \S+ `).ReplaceAllString(p.Doc, "")
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, doc, strings.Join(ours, " "))
	}
	return b.String()
}
