package host

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnviron(t *testing.T) {
	for _, tt := range []struct {
		entry string
		kept  bool
	}{
		{"CLAUDECODE=1", false},
		{"CLAUDE_CODE=1", false},
		{"CLAUDE_CODE_MESSAGING_SOCKET=/run/x", false},
		{"CLAUDE_CODE_MESSAGING_TOKEN=secret", false},
		{"CLAUDE_CODE_SSE_PORT=", false},
		{"CLAUDE_PROJECT_DIR=/p", false},
		{"CODEX_SANDBOX=seatbelt", false},
		{"CODEX_THREAD_ID=1", false},
		{"PI_CODING_AGENT_DIR=/x", false},
		{"PI_=", false},
		{"OPENCODE=1", false},
		{"OPENCODE_PID=1", false},
		{"GEMINI_CLI=1", false},
		{"GEMINI_CLI_IDE_SERVER_PORT=1", false},
		{"CURSOR_AGENT=1", false},
		{"CURSOR_TRACE_ID=1", false},
		{"AI_AGENT=some@1", false},

		{"PATH=/bin", true},
		{"CLAUDECODER=x", true},
		{"CLAUDE=x", true},
		{"CODEX=x", true},
		{"PI=3.14", true},
		{"PIP_INDEX_URL=x", true},
		{"API_PI_KEY=x", true},
		{"pi_lower=x", true},
		{"ANTHROPIC_API_KEY=x", true},
		{"OPENAI_API_KEY=x", true},
		{"GEMINI_API_KEY=x", true},
		{"NOTE=CLAUDECODE=1", true},
		{"PROCHOST_PROJECT=/p", true},
		{"no equals sign", true},
		{"", true},
	} {
		got := Environ([]string{"A=1", tt.entry, "Z=2"})
		want := []string{"A=1", tt.entry, "Z=2"}
		if !tt.kept {
			want = []string{"A=1", "Z=2"}
		}
		assert.Equal(t, want, got, "%q", tt.entry)
	}
	assert.Empty(t, Environ(nil))
}

func TestEnvironLeavesItsArgument(t *testing.T) {
	environ := []string{"CLAUDECODE=1", "A=1"}
	Environ(environ)
	assert.Equal(t, []string{"CLAUDECODE=1", "A=1"}, environ)
}
