package manager

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

func TestEachSpawnFailureSaysItsReason(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	plain := file("plain", "echo hello\n", 0o644)
	noLine := file("no-line", "echo hello\n", 0o755)
	lostInterpreter := file("lost", "#! /no/such/interpreter -x\necho\n", 0o755)
	dosInterpreter := file("dos", "#!/bin/sh\r\necho\r\n", 0o755)
	badInterpreter := file("bad", "#!"+plain+"\n", 0o755)
	elf := file("elf", "", 0o755)
	foreignLoader(t, elf)
	loop := filepath.Join(dir, "loop")
	require.NoError(t, os.Symlink(loop, loop))

	h := openHost(t)
	argv := func(words ...string) proc.Spec { return h.argv(words...) }
	in := func(dir string) proc.Spec { s := h.argv("true"); s.Dir = dir; return s }
	env := func(e string) proc.Spec { s := h.argv("true"); s.Env = append(s.Env, e); return s }

	for name, row := range map[string]struct {
		spec proc.Spec
		want string
	}{
		"missing directory":         {in("/no/such/dir"), `no such directory: "/no/such/dir"`},
		"below a file":              {in(plain + "/sub"), `no such directory: "` + plain + `/sub"`},
		"not a directory":           {in(plain), `not a directory: "` + plain + `"`},
		"no such command":           {argv("no-such-command-here"), `no such command: "no-such-command-here" is not in the PATH`},
		"no such file":              {argv("./no-such-file"), `no such command: "./no-such-file"`},
		"empty name":                {argv(""), `no such command: the name is empty`},
		"not executable":            {argv(plain), `"` + plain + `" is not executable`},
		"a directory":               {argv(dir), `"` + dir + `" is a directory`},
		"missing interpreter":       {argv(lostInterpreter), `the #! line of "` + lostInterpreter + `" names an interpreter that is not there: "/no/such/interpreter"`},
		"carriage return":           {argv(dosInterpreter), `the #! line of "` + dosInterpreter + `" ends with a carriage return: there is no interpreter "/bin/sh\r"`},
		"unexecutable interpreter":  {argv(badInterpreter), `the #! line of "` + badInterpreter + `" names an interpreter that is not executable: "` + plain + `"`},
		"missing loader":            {argv(elf), `"` + elf + `" needs a program loader that is not there: it is built for another system`},
		"no format":                 {argv(noLine), `"` + noLine + `" is no program that this system can run, and has no #! line`},
		"circular link":             {argv(loop), `run "` + loop + `": too many levels of symbolic links`},
		"argument too long":         {argv("true", strings.Repeat("x", 200<<10)), `argument list too long: argument 1 has 204800 bytes, and the system takes 131071`},
		"variable too long":         {env("BIG=" + strings.Repeat("x", 200<<10)), `argument list too long: variable "BIG" has 204804 bytes, and the system takes 131071`},
		"all too long together":     {argv(append([]string{"true"}, strings.Fields(strings.Repeat(strings.Repeat("x", 100<<10)+" ", 100))...)...), `argument list too long: arguments and environment have `},
		"NUL in an argument":        {argv("true", "a\x00b"), `argument 1 has a NUL byte`},
		"NUL in a variable":         {env("A=a\x00b"), `variable "A" has a NUL byte`},
		"NUL in the directory":      {in("/a\x00b"), `directory "/a\x00b" has a NUL byte`},
		"command of a lost program": {func() proc.Spec { s := h.sh("true"); s.Shell = []string{"/no/sh", "-c"}; return s }(), `no such command: "/no/sh"`},
	} {
		t.Run(name, func(t *testing.T) {
			id := h.start(row.spec)
			end := h.ended(id)
			assert.Equal(t, proc.SpawnFailed, end.End.Reason())
			assert.True(t, strings.HasPrefix(end.End.Cause(), `start "test": `+row.want), "Cause() = %s, want %s", end.End.Cause(), row.want)
			assert.NotContains(t, end.End.Cause(), "\n")
			code, _ := end.End.ExitCode()
			assert.Equal(t, -1, code)
			assert.Zero(t, end.Info.PID)
			assert.Len(t, h.eventsOf(id), 1, "an end and no start")
			unknown := strings.HasPrefix(row.want, "no such command")
			assert.Equal(t, unknown, end.End.ShellCode() == 127)
		})
	}
	assert.Equal(t, proc.ExitedWith(0), h.ended(h.start(argv("true"))).End, "the host goes on")
}

// TestSpawnFailuresOfAnOrdinaryUser: what root could do all the same. It is played as one by TestAsAnOrdinaryUser.
func TestSpawnFailuresOfAnOrdinaryUser(t *testing.T) {
	if os.Getuid() == 0 {
		return // nothing is forbidden
	}
	dir := t.TempDir()
	closed, private := filepath.Join(dir, "closed"), filepath.Join(dir, "private")
	require.NoError(t, os.Mkdir(closed, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(closed, "program"), []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, os.Chmod(closed, 0))
	require.NoError(t, os.WriteFile(private, []byte("#!/bin/sh\n"), 0o010)) // may be run by others
	script := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(script, []byte("#!"+private+"\n"), 0o755))

	h := openHost(t)
	in := h.argv("true")
	in.Dir = closed
	for want, spec := range map[string]proc.Spec{
		`directory "` + closed + `": permission denied`:                                                  in,
		`run "` + closed + `/program": permission denied`:                                                h.argv(closed + "/program"),
		`"` + private + `" is not executable`:                                                            h.argv(private),
		`the #! line of "` + script + `" names an interpreter that is not executable: "` + private + `"`: h.argv(script),
	} {
		id := h.start(spec)
		end := h.ended(id)
		assert.Equal(t, proc.SpawnFailed, end.End.Reason())
		assert.Equal(t, `start "test": `+want, end.End.Cause())
		assert.Len(t, h.eventsOf(id), 1)
	}
	assert.Equal(t, proc.ExitedWith(0), h.ended(h.start(h.argv("true"))).End, "the host goes on")
	require.NoError(t, os.Chmod(closed, 0o700))
}

// foreignLoader writes a copy of a program that wants a loader that is not there.
func foreignLoader(t *testing.T, path string) {
	program, err := os.ReadFile("/bin/sh")
	require.NoError(t, err)
	at := strings.Index(string(program), "/lib64/ld-linux")
	if at < 0 {
		at = strings.Index(string(program), "/lib/ld-")
	}
	require.Positive(t, at, "/bin/sh has no loader")
	copy(program[at:], "/not")
	require.NoError(t, os.WriteFile(path, program, 0o755))
}

func TestProgramsAreFoundAsTheProcessWouldFindThem(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"a", "b", "b/x"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	for name, mode := range map[string]os.FileMode{"a/x": 0o644, "b/y": 0o755, "here": 0o755, "a/z": 0o644} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, mode))
	}
	for _, row := range []struct{ name, path, want, err string }{
		{"./x", "", "./x", ""},
		{"/any/thing", "a", "/any/thing", ""},
		{"y", "a:b", "b/y", ""},
		{"y", "b", "b/y", ""},
		{"here", ":b", "here", ""},
		{"here", "b", "", `no such command: "here" is not in the PATH`},
		{"x", "b:a", "", `"` + dir + `/a/x" is not executable`},
		{"z", "a:b", "", `"` + dir + `/a/z" is not executable`},
	} {
		got, err := lookPath(row.name, []string{"PATH=" + row.path}, dir)
		want := row.want
		if want != "" && !strings.Contains(row.name, "/") {
			want = filepath.Join(dir, want)
		}
		assert.Equal(t, want, got, "%v", row)
		if row.err == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, row.err)
		}
	}
	sh, err := lookPath("sh", nil, dir)
	assert.NoError(t, err)
	assert.Contains(t, sh, "/sh")
}

func TestStartRefuses(t *testing.T) {
	h := openHost(t)
	change := func(f func(*proc.Spec)) proc.Spec { s := h.argv("true"); f(&s); return s }
	for want, spec := range map[string]proc.Spec{
		`start "test": neither command nor argv is set`:              change(func(s *proc.Spec) { s.Argv = nil }),
		`start "test": both command and argv are set`:                change(func(s *proc.Spec) { s.Command = "x" }),
		`start "test": command "x" has no shell`:                     change(func(s *proc.Spec) { s.Argv, s.Command = nil, "x" }),
		`start "test": directory "." is not absolute`:                change(func(s *proc.Spec) { s.Dir = "." }),
		`start "test": environment entry without a value: "novalue"`: change(func(s *proc.Spec) { s.Env = []string{"novalue"} }),
	} {
		assert.EqualError(t, h.Start(proc.NewID(), spec, nil), want)
	}
	id := h.start(h.argv("sleep", h.token))
	assert.ErrorIs(t, h.Start(id, h.argv("true"), nil), ErrInUse)
	require.NoError(t, h.Close(t.Context()))
	assert.ErrorIs(t, h.Start(proc.NewID(), h.argv("true"), nil), ErrClosed)
}

func TestMissingLogIsTroubleOnly(t *testing.T) {
	var told []string
	ends := make(chan proc.Ended, 1)
	m, err := New(Options{
		Events: func(e proc.Event) {
			if e, is := e.(proc.Ended); is {
				ends <- e
			}
		},
		OpenLog: func(proc.ID) (Log, error) { return nil, errors.New("disk full") },
		Trouble: func(what, message string) { told = append(told, what+": "+message) },
	})
	require.NoError(t, err)
	obs := &testObserver{}
	require.NoError(t, m.Start(proc.NewID(), proc.Spec{Name: "web", Argv: []string{"/bin/echo", "x"}, Dir: "/"}, obs))
	assert.Equal(t, proc.ExitedWith(0), (<-ends).End)
	assert.Equal(t, "x\n", obs.text(proc.Stdout))
	require.NoError(t, m.Close(t.Context()))
	assert.Equal(t, []string{`log: open the log of "web": disk full`}, told)
}
