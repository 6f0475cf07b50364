package host

import "strings"

// agentNames and agentPrefixes are the variables by which a coding agent marks what it runs: that it is there, in
// which session, over which socket with which token. Variables that a person sets for programs of their own, such
// as the API keys of a model's vendor, are none of them.
var (
	agentNames = map[string]bool{
		"AI_AGENT":           true, // any agent that keeps the convention
		"ANTIGRAVITY_AGENT":  true,
		"AUGMENT_AGENT":      true,
		"CLAUDECODE":         true,
		"CLAUDE_CODE":        true,
		"CLAUDE_ENV_FILE":    true, // where its hooks leave variables for its next command
		"CLAUDE_PLUGIN_ROOT": true,
		"CLAUDE_PROJECT_DIR": true,
		"CLINE_ACTIVE":       true,
		"CURSOR_AGENT":       true,
		"CURSOR_TRACE_ID":    true,
		"GEMINI_CLI":         true,
		"GOOSE_TERMINAL":     true,
		"OPENCODE":           true,
		"QWEN_CODE":          true,
	}
	agentPrefixes = []string{"CLAUDE_CODE_", "CODEX_", "GEMINI_CLI_", "OPENCODE_", "PI_"}
)

// Environ returns what hosted processes inherit of environ ("KEY=value" each): all but the variables of agents, so
// that a hosted program neither speaks as the agent that started its host nor takes itself for one.
func Environ(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if !ofAgent(name) {
			kept = append(kept, e)
		}
	}
	return kept
}

func ofAgent(name string) bool {
	if agentNames[name] {
		return true
	}
	for _, p := range agentPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
