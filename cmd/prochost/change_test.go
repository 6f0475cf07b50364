package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typedWords splits a command line as a shell would that knows no more than single quotes.
func typedWords(text string) (split []string) {
	for i, part := range strings.Split(text, "'") {
		if i%2 == 1 {
			split = append(split, part)
		} else {
			split = append(split, strings.Fields(part)...)
		}
	}
	return split
}

// Whatever a host refuses, and whatever keeps a verb from its host, has its exit code.
func TestRefusalsHaveCodes(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{api.Invalid("signal", "unknown"), 2},
		{api.Refuse(api.ReasonAmbiguous, "two"), 2},
		{api.Refuse(api.ReasonNotFound, "none"), 4},
		{api.Refuse(api.ReasonEnded, "over"), 1},
		{api.Refuse(api.ReasonStdinClosed, "closed"), 1},
		{api.Refuse(api.ReasonClosing, "stops"), 1},
		{api.Refuse(api.ReasonInternal, "bug"), 1},
		{rpc.ErrLost, 1},
		{rpc.ErrForbidden, 1},
	} {
		h := &fakeHost{all: []api.Info{running("p1", "api", 1)}}
		h.signal = func(api.SignalIn) (api.Info, error) { return api.Info{}, tt.err }
		got := h.typed(t, "signal", "HUP", "api")
		assert.Equal(t, result{code: tt.want, stderr: "prochost: api: " + tt.err.Error() + "\n"}, got)
	}
	for _, tt := range []struct {
		err  error
		want int
		says string
	}{
		{rpc.ErrNoHost, 3, "no host runs for "},
		{rpc.ErrStale, 3, "has been killed"},
		{rpc.ErrSilent, 3, "the host does not answer"},
		{rpc.ErrForbidden, 1, "it belongs to another user"},
	} {
		got := through(t, fakeReach{err: tt.err}, "", "ps")
		assert.Equal(t, tt.want, got.code)
		assert.Contains(t, got.stderr, tt.says)
		assert.Empty(t, got.stdout)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), "one clear line")
	}
}

func TestStartOfTheRecipe(t *testing.T) {
	why := `start "api": no such command: "apx"`
	h := &fakeHost{
		all:    []api.Info{running("p9", "tail", 9)},
		status: api.RecipeStatus{Processes: []string{"db", "api", "web", "job"}},
		start: func(in api.StartIn) (api.Info, error) {
			switch in.Name {
			case "api":
				p := ended("p2", "api", -1)
				p.PID, p.ErrorMessage = nil, &why
				return p, nil
			case "web":
				return declared("web", "waiting", "web waits for api to be ready"), nil
			case "job":
				return declared("job", "skipped", "job is left out: it needs api to end well, and that cannot be"), nil
			}
			return running("p1", in.Name, 1), nil
		},
	}
	assert.Equal(t, result{stdout: "db: running, pid 1\n"}, h.typed(t, "start", "db"))
	assert.Equal(t, result{stdout: "web: waits for api to be ready\n"}, h.typed(t, "start", "w*"))
	assert.Equal(t, result{code: 1, stdout: "api: could not be started: no such command: \"apx\"\n"}, h.typed(t, "start", "api"))
	got := h.typed(t, "start", "*")
	assert.Equal(t, 1, got.code)
	assert.Regexp(t, `^db: .*\napi: .*\nweb: .*\njob: is left out: .*\n$`, got.stdout)
	assert.Equal(t, exitUnknownName, h.typed(t, "start", "tail").code, "the recipe does not declare it")
	assert.Equal(t, 4, strings.Count(h.typed(t, "start", "*", "--json").stdout, "\n"))
}

func TestStartOfACommand(t *testing.T) {
	dir, err := os.Getwd()
	require.NoError(t, err)
	base := func(change func(in *api.StartIn)) api.StartIn {
		in := api.StartIn{Source: "cli", Cwd: dir, Environ: []string{"HOME=/home/me", "A=1"}, Notify: &api.NotifyIn{}}
		change(&in)
		return in
	}
	h := &fakeHost{start: func(api.StartIn) (api.Info, error) { return running("p1", "x", 1), nil }}
	for text, want := range map[string]api.StartIn{
		"start -- npm run dev":         base(func(in *api.StartIn) { in.Argv = []string{"npm", "run", "dev"} }),
		"start -- 'npm run dev | cat'": base(func(in *api.StartIn) { in.Command = "npm run dev | cat" }),
		"start --name n --cwd sub -e A=b=c --env C= --session s --no-stdin --keep --follow-up -- a b": base(func(in *api.StartIn) {
			in.Argv, in.Name, in.Cwd, in.Env, in.Session = []string{"a", "b"}, "n", filepath.Join(dir, "sub"), map[string]string{"A": "b=c", "C": ""}, "s"
			in.Stdin, in.Keep, in.TurnDelivery = "null", true, "followUp"
		}),
		"start --match p1 --match p2 --regex --stream stderr --repeat --on context --on-success ignore --on-failure turn --on-killed turn -- a b": base(func(in *api.StartIn) {
			in.Argv = []string{"a", "b"}
			in.Notify = &api.NotifyIn{OnSuccess: "ignore", OnFailure: "turn", OnKilled: "turn"}
			for _, p := range []string{"p1", "p2"} {
				in.Notify.LogMatches = append(in.Notify.LogMatches, api.MatcherIn{Pattern: p, Mode: "regex", Stream: "stderr", Repeat: true, On: "context"})
			}
		}),
		"start -- sh -c 'exit 1' -x": base(func(in *api.StartIn) { in.Argv = []string{"sh", "-c", "exit 1", "-x"} }),
	} {
		h.asked = nil
		got := h.typed(t, typedWords(text)...)
		assert.Equal(t, result{stdout: "x: running, pid 1\n"}, got, text)
		assert.Equal(t, []any{want}, h.asked, text)
	}
	h.asked = nil
	for text, words := range map[string]string{
		"start":                   "say what to start",
		"start --":                "say what to start",
		"start api -- sleep 1":    "start one or the other",
		"start api --name x":      "--name is for a command, which stands behind --",
		"start api --keep":        "--keep is for a command",
		"start -- ' '":            "the command is empty",
		"start -e =1 -- sleep 1":  `--env is KEY=VALUE, not "=1"`,
		"start -e KEY -- sleep 1": `--env is KEY=VALUE, not "KEY"`,
		"start --on maybe -- a b": `--on is turn, context or ignore, not "maybe"`,
	} {
		got := h.typed(t, typedWords(text)...)
		assert.Equal(t, exitUsage, got.code, text)
		assert.Contains(t, got.stderr, words, text)
	}
	assert.Empty(t, h.asked)

	h.start = func(api.StartIn) (api.Info, error) { return ended("p1", "x", 127), nil }
	assert.Equal(t, result{code: 1, stdout: "x: exited (127)\n"}, h.typed(t, "start", "--", "nosuch"))
	h.start = func(api.StartIn) (api.Info, error) { return api.Info{}, api.Invalid("name", "taken") }
	assert.Equal(t, result{code: 2, stderr: "prochost: name: taken\n"}, h.typed(t, "start", "--", "x"))
}

func TestRestart(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "api", 1), ended("p2", "job", 0), declared("web", "declared", "")}}
	h.restart = func(in api.RestartIn) (api.Info, error) {
		if in.ID == "job" {
			return ended("p4", "job", 2), nil
		}
		return running("p3", in.ID, 3), nil
	}
	assert.Equal(t, result{stdout: "api: running, pid 3\n"}, h.typed(t, "restart", "api"))
	assert.Equal(t, result{code: 1, stdout: "api: running, pid 3\njob: exited (2)\n"}, h.typed(t, "restart", "api", "job"))
	h.asked = nil
	assert.Equal(t, 0, h.typed(t, "restart", "--all", "--force").code)
	assert.Equal(t, []any{api.RestartIn{ID: "p1", Force: true}}, h.asked, "what does not run stays as it is")
	assert.Equal(t, exitUsage, h.typed(t, "restart").code)
	assert.Equal(t, exitUsage, h.typed(t, "restart", "--all", "api").code)
	assert.Equal(t, result{stderr: "nothing runs that is to be restarted\n"}, (&fakeHost{}).typed(t, "restart", "--all"))
}

func TestSignal(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "w-1", 1), ended("p2", "w-2", 0), ended("p3", "x", 0)}}
	h.signal = func(in api.SignalIn) (api.Info, error) { return running(in.ID, in.ID, 1), nil }
	assert.Equal(t, result{stdout: "w-1: signalled; running, pid 1\n"}, h.typed(t, "signal", "USR1", "w-*"))
	assert.Equal(t, []any{api.SignalIn{ID: "p1", Signal: "USR1"}}, h.asked)
	assert.Equal(t, result{code: 1, stderr: "prochost: no process that is meant runs\n"}, h.typed(t, "signal", "USR1", "x*"))
	assert.Equal(t, exitUsage, h.typed(t, "signal", "HUP").code)
}

func TestWrite(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "repl", 1), running("p2", "r2", 2)}}
	all := func(in api.WriteIn) (api.WriteOut, error) { return api.WriteOut{Written: len(in.Data)}, nil }
	h.write = all
	type write = api.WriteIn
	big := strings.Repeat("x", chunk+10)
	for _, tt := range []struct {
		stdin string
		args  string
		want  []any
		took  string
	}{
		{"unread", "write repl 'a b' c", []any{write{ID: "repl", Data: []byte("a b c\n")}}, "6 bytes"},
		{"unread", "write -n repl y", []any{write{ID: "repl", Data: []byte("y")}}, "1 byte"},
		{"unread", "write repl --end bye", []any{write{ID: "repl", Data: []byte("bye\n")}, write{ID: "repl", End: true}}, "4 bytes"},
		{"unread", "write repl -- -1", []any{write{ID: "repl", Data: []byte("-1\n")}}, "3 bytes"},
		{"\xff\x00", "write repl", []any{write{ID: "repl", Data: []byte{0xff, 0}}}, "2 bytes"},
		{"", "write repl", nil, "0 bytes"},
		{"", "write repl --end", []any{write{ID: "repl", End: true}}, "0 bytes"},
		{big, "write --end repl", []any{write{ID: "repl", Data: []byte(big[:chunk])}, write{ID: "repl", Data: []byte(big[chunk:])}, write{ID: "repl", End: true}}, "65546 bytes"},
	} {
		h.asked = nil
		assert.Equal(t, result{stdout: "repl: took " + tt.took + "\n"}, h.fed(t, tt.stdin, typedWords(tt.args)...))
		assert.Equal(t, tt.want, h.asked, tt.args)
	}

	h.asked = nil
	h.write = func(in api.WriteIn) (api.WriteOut, error) { return api.WriteOut{Written: 5, Reason: "timeout"}, nil }
	assert.Equal(t, result{code: 1, stdout: "repl: took 5 bytes and no more: it does not read\n"}, h.fed(t, big, "write", "repl"))
	assert.Len(t, h.asked, 1, "the rest is not written behind a gap")

	h.write = func(api.WriteIn) (api.WriteOut, error) {
		return api.WriteOut{}, api.Refuse(api.ReasonStdinClosed, "its input is closed")
	}
	assert.Equal(t, result{code: 1, stderr: "prochost: repl: its input is closed\n"}, h.typed(t, "write", "repl", "x"))
	h.write = all
	assert.Equal(t, exitUsage, h.typed(t, "write").code)
	assert.Equal(t, exitUsage, h.typed(t, "write", "-n", "repl").code)
	got := h.typed(t, "write", "r*", "x")
	assert.Equal(t, result{code: 2, stderr: "prochost: \"r*\" means 2 processes: write to one\n"}, got)
}

func TestUpdate(t *testing.T) {
	h := &fakeHost{all: []api.Info{running("p1", "api", 1)}}
	out := api.UpdateOut{Process: running("p1", "api", 1), Watches: []api.MatcherIn{}}
	h.update = func(api.UpdateIn) (api.UpdateOut, error) { return out, nil }
	one, regex, both, no, turn := 1, "regex", "both", false, "turn"
	for args, want := range map[string]api.UpdateIn{
		"":                                       {},
		"--rename b":                             {Name: "b"},
		"--clear":                                {Watches: &api.WatchesIn{Mode: "clear"}},
		"--remove 1 --remove panic: --remove -1": {Watches: &api.WatchesIn{Mode: "remove", Items: []api.WatchItemIn{{Index: &one}, {Pattern: "panic:"}, {Pattern: "-1"}}}},
		"--match x --regex":                      {Watches: &api.WatchesIn{Mode: "append", Items: []api.WatchItemIn{{Pattern: "x", Mode: &regex, Stream: &both, Repeat: &no, On: &turn}}}},
		"--match x --regex --replace":            {Watches: &api.WatchesIn{Mode: "replace", Items: []api.WatchItemIn{{Pattern: "x", Mode: &regex, Stream: &both, Repeat: &no, On: &turn}}}},
	} {
		h.asked = nil
		want.ID = "api"
		assert.Equal(t, result{stdout: "api: no log watches\n"}, h.typed(t, append([]string{"update", "api"}, typedWords(args)...)...))
		assert.Equal(t, []any{want}, h.asked, args)
	}
	out.Watches = []api.MatcherIn{{Pattern: "panic:", Mode: "literal", Stream: "stderr", On: "turn"}}
	assert.Equal(t, "INDEX  MODE     STREAM  REPEAT  ON    PATTERN\n    0  literal  stderr  no      turn  panic:\n", h.typed(t, "update", "api").stdout)
	for _, args := range []string{"", "api b", "api --clear --match x", "api --replace", "api --clear --remove 1"} {
		assert.Equal(t, exitUsage, h.typed(t, append([]string{"update"}, typedWords(args)...)...).code, args)
	}
}

func TestClear(t *testing.T) {
	h := &fakeHost{all: []api.Info{ended("p1", "api", 1), ended("p2", "api", 1), running("p3", "api", 3), ended("p4", "job", 0), declared("web", "waiting", "")}}
	for args, want := range map[string][]string{
		"": nil, "api": {"p1", "p2"}, "'*'": {"p1", "p2", "p4"}, "p1": {"p1"}, "api job p4": {"p1", "p2", "p4"},
	} {
		h.asked = nil
		got := h.typed(t, append([]string{"clear"}, typedWords(args)...)...)
		assert.Equal(t, 0, got.code)
		assert.Equal(t, []any{api.ClearIn{IDs: want}}, h.asked, args)
	}
	h.asked = nil
	assert.Equal(t, result{stdout: "0 records removed\n"}, h.typed(t, "clear", "web"))
	assert.Empty(t, h.asked, "to the host no id means all of them")
	assert.Equal(t, result{stdout: "{\"cleared\":1}\n"}, h.typed(t, "clear", "job", "--json"))
	assert.Equal(t, exitUnknownName, h.typed(t, "clear", "nobody").code)
}

func TestReload(t *testing.T) {
	h := &fakeHost{status: api.RecipeStatus{Path: "/p/prochost.lua", Generation: 3}}
	h.reload = func(api.RecipeReloadIn) (api.RecipeLoaded, error) {
		return api.RecipeLoaded{Path: "/p/prochost.lua", OK: true, Added: []string{"web"}, Restarted: []string{"api"}, Kept: []string{"db"}}, nil
	}
	assert.Equal(t, result{stdout: "prochost.lua reloaded: added web; restarted api; 1 kept\n"}, h.typed(t, "reload"))
	assert.Equal(t, result{stdout: "prochost.lua would be reloaded: added web; restarted api; 1 kept\n"}, h.typed(t, "reload", "--dry-run"))
	h.typed(t, "reload", "--allow-empty")
	assert.Equal(t, []any{api.RecipeReloadIn{}, api.RecipeReloadIn{DryRun: true}, api.RecipeReloadIn{AllowEmpty: true}}, h.asked)

	h.reload = func(api.RecipeReloadIn) (api.RecipeLoaded, error) {
		e := api.Refuse(api.ReasonRecipe, "broken")
		e.Recipe = []api.RecipeError{{File: "prochost.lua", Line: 2, Message: "no"}}
		return api.RecipeLoaded{}, e
	}
	got := h.typed(t, "reload")
	assert.Equal(t, 1, got.code)
	assert.Regexp(t, `p/prochost\.lua:2: no\n$`, got.stderr)
	got = h.typed(t, "reload", "--json")
	assert.Equal(t, 1, got.code)
	assert.Regexp(t, `^\{"time":\d+,"type":"recipe","path":"/p/prochost.lua","generation":3,"ok":false,"errors":\[\{"file":"prochost.lua","line":2,"message":"no"\}\]\}\n$`, got.stdout)
	h.reload = func(api.RecipeReloadIn) (api.RecipeLoaded, error) { return api.RecipeLoaded{}, errors.New("lost") }
	assert.Equal(t, result{code: 1, stderr: "prochost: lost\n"}, h.typed(t, "reload"))
}
