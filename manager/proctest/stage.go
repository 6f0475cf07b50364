package proctest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const (
	// RoleVar names the role that this binary is to play.
	RoleVar = "PROCHOST_TEST_ROLE"
	// TokenVar is in the environment of everything that a role starts.
	TokenVar = "PROCHOST_TEST_TOKEN"
)

// Main plays the role that this process was started for, and then exits. If it was started for none it returns.
func Main(roles map[string]func()) {
	name := os.Getenv(RoleVar)
	if name == "" {
		return
	}
	os.Unsetenv(RoleVar)
	role := roles[name]
	if role == nil {
		panic("proctest: no role " + name)
	}
	role()
	os.Exit(0)
}

// Stage is the circumstances in which a role is played. The zero Stage is those of the test.
type Stage struct {
	// Script is a shell script that prepares them and ends in `exec "$0"`, with arguments if need be.
	Script string
	// Ordinary plays as an ordinary user, also if this one is root.
	Ordinary bool
	// Namespaces are what of the system the role has for itself: flags of clone. Who is not root becomes root in a
	// user namespace for that.
	Namespaces uintptr
	// Change changes the command before it is started.
	Change func(*exec.Cmd)
}

// Play has this binary play a role, and returns what it printed. The test fails if the role does, or if anything
// survives it. It is skipped where an ordinary user gets no namespaces.
func (s Stage) Play(t testing.TB, role string) string {
	t.Helper()
	if !s.granted() {
		t.Skip("an ordinary user gets no namespaces here")
	}
	out, err := s.try(t, role)
	if err != nil {
		t.Fatalf("the role %q: %v\n%s", role, err, out)
	}
	return out
}

// Tests runs the tests of this binary that match the pattern run, without those that match skip if there is one, and
// fails unless some have run and all have passed. They do not find the files of the package.
func (s Stage) Tests(t testing.TB, run, skip string) {
	t.Helper()
	s.Script = fmt.Sprintf(`exec "$0" -test.v -test.count=1 -test.run '%s' -test.skip '%s'`, run, skip)
	out, err := s.try(t, "")
	if err != nil || !strings.Contains(out, "\n--- PASS: ") {
		t.Fatalf("the tests %q: %v\n%s", run, err, out)
	}
}

func (s Stage) try(t testing.TB, role string) (string, error) {
	t.Helper()
	binary, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	if s.Script == "" {
		s.Script = `exec "$0"`
	}
	var out, problems bytes.Buffer
	// The binary is run through a descriptor, since an ordinary user cannot pass its directory.
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", s.Script, "/proc/self/fd/3")
	cmd.Dir = "/"
	token := fmt.Sprintf("61.%09d", rand.N(1_000_000_000))
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { // an ordinary user cannot write to root's
		return strings.HasPrefix(e, "TMPDIR=") || strings.HasPrefix(e, "GOCOVERDIR=")
	})
	cmd.Env = append(cmd.Env, RoleVar+"="+role, TokenVar+"="+token, "GORACE=atexit_sleep_ms=0")
	cmd.ExtraFiles = []*os.File{binary}
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.SysProcAttr = s.attributes()
	if s.Change != nil {
		s.Change(cmd)
	}
	err = cmd.Run()
	left := Survivors(TokenVar + "=" + token)
	for _, p := range left { // a role that was cut short leaves them
		syscall.Kill(p.PID, syscall.SIGKILL)
	}
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("processes survive it: %v", left)
	}
	if err != nil {
		return out.String() + problems.String(), err
	}
	return out.String(), nil
}
