package console

import (
	"strings"

	"github.com/prochost/prochost/host/api"
)

// notified shows a notification: its words, and where those are a hook's, the core's own line beside them.
func (c *Console) notified(n api.Notification, at int64) {
	asked := c.told(n.ProcessID)
	defer c.announce(at)
	custom := n.Summary != n.Fact || n.Body != ""
	if c.opt.Terse || n.Kind == "recipe_error" && !custom { // the event of the load has said it, with file and line
		return
	}
	k := kindOf(n, asked)
	words, text := bold, none
	if n.Attention != "turn" {
		k.style, words, text = dim, dim, dim
	}
	c.line(at, n.ProcessName, k, words, ownName(n, n.Summary))
	if !custom {
		return
	}
	if n.Body != "" {
		for line := range lines(n.Body) {
			c.line(at, n.ProcessName, moreWords, text, "  "+line)
		}
	}
	if n.Summary != n.Fact {
		c.line(at, n.ProcessName, coreFact, dim, ownName(n, n.Fact))
	}
}

// ownName drops the name from the front of the core's line: the gutter shows it.
func ownName(n api.Notification, words string) string {
	if words == n.Fact && n.ProcessName != "" {
		return strings.TrimPrefix(words, n.ProcessName+" ")
	}
	return words
}

func kindOf(n api.Notification, asked bool) kind {
	switch n.Kind {
	case "success":
		return finished
	case "killed":
		return killed
	case "log_match", "log_match_suppressed":
		return matched
	case "host_restarted":
		return trouble
	case "crash", "failure":
		if asked { // what ends badly because it is stopped has not failed
			return stopped
		}
	}
	return failed
}
