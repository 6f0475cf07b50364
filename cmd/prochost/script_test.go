package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"prochost": main})
}

// The scripts in testdata/script are the command line as its users meet it. Besides the commands of testscript they
// have those of scriptCommands.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               setup,
		Cmds:                scriptCommands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// markName is a variable that all processes of a script inherit, so that those that are left can be found.
const markName = "SCRIPT_MARK"

func setup(env *testscript.Env) error {
	mark := fmt.Sprintf("%d-%s", os.Getpid(), filepath.Base(env.WorkDir))
	backgrounds := map[string]*background{}
	env.Values[backgroundKey{}] = backgrounds
	env.Setenv(markName, mark)
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	env.Defer(func() {
		for _, b := range backgrounds {
			b.kill()
		}
		for _, p := range marked(mark) { // of a script that failed
			p.kill()
		}
	})
	return nil
}
