package luaapi

import (
	"github.com/prochost/prochost/notify"
)

var notifyKeys = schema[notify.Config]{
	{name: "onSuccess", typ: `"turn", "context" or "ignore"`,
		help: "An end that counts as success. Default: turn.",
		read: func(v value, c *notify.Config) { c.OnSuccess = readWish(v) }},
	{name: "onFailure", also: []string{"onCrash", "onError", "onExit"}, typ: `"turn", "context" or "ignore"`,
		help: "A crash or a failure. Default: turn. It is always told: ignore means context here.",
		read: func(v value, c *notify.Config) { c.OnFailure = readWish(v) }},
	{name: "onKilled", also: []string{"onKill", "onSignal"}, typ: `"turn", "context" or "ignore"`,
		help: "An end by a signal from outside. Default: context.",
		read: func(v value, c *notify.Config) { c.OnKilled = readWish(v) }},
	{name: "logMatches", also: []string{"logWatches", "logMatch", "matchers", "watches"}, typ: "list of tables", keys: matcherKeys,
		help: "Lines of its output to tell of; at most 20.",
		read: readMatchers},
}

var wishWords = []string{"turn", "context", "ignore"}

func readWish(v value) notify.Wish {
	i, ok := v.word(wishWords...)
	if !ok {
		return notify.Unset
	}
	w, _ := notify.ParseWish(wishWords[i])
	return w
}

var matcherKeys = schema[notify.Matcher]{
	{name: "pattern", also: []string{"match", "text", "regex", "regexp", "log"}, typ: "string",
		help: "What a line holds: 1 to 500 characters, not only white space. Required.",
		read: func(v value, m *notify.Matcher) { m.Pattern, _ = v.str() }},
	{name: "mode", typ: `"literal" or "regex"`,
		help: "How the pattern is read: as it stands (the default), or as an RE2 regular expression.",
		read: func(v value, m *notify.Matcher) { m.Mode = readMode(v) }},
	{name: "stream", typ: `"stdout", "stderr" or "both"`,
		help: "Which output is looked at. Default: both.",
		read: func(v value, m *notify.Matcher) {
			if i, ok := v.word("both", "stdout", "stderr"); ok {
				m.Stream = notify.StreamFilter(i)
			}
		}},
	{name: "repeats", same: "repeat", typ: "boolean",
		help: "Tell again, at most every 15 seconds. Default: false, once in the life of a process. (`repeat` is a reserved word of Lua, and can be written `[\"repeat\"]` only.)",
		read: func(v value, m *notify.Matcher) { m.Repeat, _ = v.boolean() }},
	{name: "on", also: []string{"attention"}, typ: `"turn", "context" or "ignore"`,
		help: "How loudly. Default: turn. ignore is delivered as context.",
		read: func(v value, m *notify.Matcher) {
			if i, ok := v.word(wishWords...); ok {
				m.On = notify.MatchChoice(i)
			}
		}},
}

func readMatchers(v value, c *notify.Config) {
	elements, _ := v.list("a list of tables")
	for i, e := range elements {
		if i == notify.MaxMatchers {
			e.fail("at most %d matchers are allowed, got %d", notify.MaxMatchers, len(elements))
			return
		}
		var m notify.Matcher
		if matcherKeys.read(e, `a table such as { pattern = "…" }`, &m) {
			checkPattern(e.get("pattern"), m.Pattern, m.Mode)
		}
		if matcherKeys.lacks(e, "pattern") {
			e.fail("has no pattern")
		}
		c.LogMatches = append(c.LogMatches, m)
	}
}

func readMode(v value) notify.Mode {
	i, _ := v.word("literal", "regex")
	return notify.Mode(i)
}

// checkPattern looks at the pattern p as a matcher takes it.
func checkPattern(p value, pattern string, mode notify.Mode) {
	if err := notify.CheckPattern(pattern, mode); err != nil && !p.absent() {
		p.fail("%v", err)
	}
}
