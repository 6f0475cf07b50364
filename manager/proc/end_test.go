package proc

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnd(t *testing.T) {
	code := func(n int) *int { return &n }
	for _, tt := range []struct {
		name    string
		end     End
		status  Status
		reason  string
		success bool
		code    *int
		shell   int
	}{
		{"zero", End{}, Exited, "lost", false, nil, 1},
		{"code 0", ExitedWith(0), Exited, "exit", true, code(0), 0},
		{"code 3", ExitedWith(3), Exited, "exit", false, code(3), 3},
		{"code 3 that counts as success", ExitedWith(3, 2, 3), Exited, "exit", true, code(3), 0},
		{"killed from outside", EndedBySignal(syscall.SIGKILL, false), Killed, "signal", false, nil, 137},
		{"terminated from outside", EndedBySignal(syscall.SIGTERM, false), Killed, "signal", false, nil, 143},
		{"own fault", EndedBySignal(syscall.SIGSEGV, false), Exited, "signal", false, nil, 139},
		{"abort", EndedBySignal(syscall.SIGABRT, false), Exited, "signal", false, nil, 134},
		{"abort that we sent", EndedBySignal(syscall.SIGABRT, true), Killed, "signal", false, nil, 134},
		{"no such command", NeverRan(fmt.Errorf("run: %w", ErrNoCommand)), Exited, "spawn_error", false, code(-1), 127},
		{"not executable", NeverRan(errors.New("not executable")), Exited, "spawn_error", false, code(-1), 126},
		{"no pid", HadNoPID(), Exited, "missing_pid", false, code(-1), 1},
		{"lost", Vanished(false), Exited, "lost", false, nil, 1},
		{"lost after our signal", Vanished(true), Killed, "lost", false, nil, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.status, tt.end.Status())
			assert.Equal(t, tt.reason, tt.end.Reason().String())
			assert.Equal(t, tt.success, tt.end.Success())
			got, ok := tt.end.ExitCode()
			assert.Equal(t, tt.code != nil, ok)
			if ok {
				assert.Equal(t, *tt.code, got)
			}
			assert.Equal(t, tt.shell, tt.end.ShellCode())
		})
	}
}

// A failed end with code 0 cannot be built: every code that is no success is not 0.
func TestExitedWithZeroIsAlwaysSuccess(t *testing.T) {
	for code := range 256 {
		assert.Equal(t, code == 0, ExitedWith(code).Success(), "code %d", code)
	}
}

func TestQuoteArgv(t *testing.T) {
	for _, tt := range []struct {
		argv []string
		want string
	}{
		{[]string{"go", "run", "./cmd/api"}, "go run ./cmd/api"},
		{[]string{"sh", "-c", "exit 3"}, "sh -c 'exit 3'"},
		{[]string{"echo", "it's", ""}, `echo 'it'\''s' ''`},
		{[]string{"a\nb", "$HOME", "~"}, "'a\nb' '$HOME' '~'"},
	} {
		assert.Equal(t, tt.want, QuoteArgv(tt.argv))
	}
}
