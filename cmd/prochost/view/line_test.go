package view

import (
	"strings"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
)

func TestLine(t *testing.T) {
	assert.Equal(t, "api: two lines, no colours\n", string(Line("api", "two\nlines, \x1b[31mno\x1b[0m colours\u202e")))
	assert.Equal(t, "api: waits for db\n", string(Line("api", "api waits for db")), "the name stands once")
}

func TestState(t *testing.T) {
	pid, code, no, why := 7, 3, false, `start "api": no such command: "apx"`
	for _, tt := range []struct {
		p    api.Info
		want string
	}{
		{api.Info{Name: "api", Status: "running", PID: &pid}, "running, pid 7"},
		{api.Info{Name: "api", Status: "terminating", PID: &pid}, "stopping, pid 7"},
		{api.Info{Name: "api", Status: "exited", PID: &pid, ExitCode: &code, Success: &no}, "exited (3)"},
		{api.Info{Name: "api", Status: "waiting", Why: "api waits for db to be ready"}, "api waits for db to be ready"},
		{api.Info{Name: "api", Status: "declared", Why: "api has auto = false"}, "declared"},
		{api.Info{Name: "api", Status: "exited", ErrorMessage: &why, Success: &no}, `api could not be started: no such command: "apx"`},
	} {
		assert.Equal(t, tt.want, State(tt.p))
	}
}

func TestLeftovers(t *testing.T) {
	assert.Equal(t, "7 (nfs), 8 (daemon aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...)", Leftovers([]api.Leftover{
		{PID: 7, Command: "nfs"}, {PID: 8, Command: "daemon\n" + strings.Repeat("a", 100)},
	}))
	assert.Empty(t, Leftovers(nil))
}
