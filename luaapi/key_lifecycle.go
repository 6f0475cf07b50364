package luaapi

import (
	"fmt"
	"math"

	"github.com/prochost/prochost/luaapi/recipe"
	lua "github.com/yuin/gopher-lua"
)

var readyKeys = schema[recipe.Ready]{
	{name: "log", also: []string{"pattern", "match", "line"}, typ: "string",
		help: "A line of its output that holds this says that it is ready. Required.",
		read: func(v value, r *recipe.Ready) { r.Log, _ = v.str() }},
	{name: "mode", typ: `"literal" or "regex"`,
		help: "How the pattern is read: as it stands (the default), or as an RE2 regular expression.",
		read: func(v value, r *recipe.Ready) { r.Mode = readMode(v) }},
}

func readReady(v value) *recipe.Ready {
	var r recipe.Ready
	if readyKeys.read(v, `a table such as { log = "…" }`, &r) {
		checkPattern(v.get("log"), r.Log, r.Mode)
	}
	if readyKeys.lacks(v, "log") {
		v.fail("has no log")
	}
	return &r
}

const (
	maxBackoff  = 100
	maxRestarts = 1_000_000
)

var restartKeys = schema[recipe.Restart]{
	{name: "on", also: []string{"policy", "when"}, typ: `"never", "failure" or "always"`,
		help: "After which ends. Default in a table: failure, which is any end but success.",
		read: func(v value, r *recipe.Restart) {
			if i, ok := v.word(restartWords...); ok {
				r.On = recipe.RestartOn(i)
			}
		}},
	{name: "delay", typ: "duration",
		help: "The time before the first restart. Default: 500ms; \"0s\" restarts at once.",
		read: func(v value, r *recipe.Restart) { r.Delay, _ = v.duration(0) }},
	{name: "backoff", also: []string{"factor", "multiplier"}, typ: "number",
		help: "The factor from one delay to the next, 1 to 100. Default: 1.",
		read: func(v value, r *recipe.Restart) { readBackoff(v, r) }},
	{name: "maxDelay", also: []string{"cap"}, typ: "duration",
		help: "The longest delay. Default: 1m, or delay if that is more.",
		read: func(v value, r *recipe.Restart) { r.MaxDelay, _ = v.duration(0) }},
	{name: "max", also: []string{"maxRestarts", "retries", "limit", "attempts"}, typ: "whole number",
		help: "How many restarts in a row. Default: no limit.",
		read: func(v value, r *recipe.Restart) { r.Max, _ = v.integer(0, maxRestarts) }},
	{name: "healthy", also: []string{"reset", "resetAfter"}, typ: "duration",
		help: "A run at least this long starts the row anew. Default: 10s.",
		read: func(v value, r *recipe.Restart) { r.Healthy, _ = v.duration(0) }},
}

var restartWords = []string{"never", "failure", "always"}

func readRestart(v value, d *draft) {
	d.restart = v
	if _, isTable := v.LValue.(*lua.LTable); !isTable {
		if i, ok := v.word(restartWords...); ok {
			d.Restart = recipe.DefaultRestart(recipe.RestartOn(i))
		}
		return
	}
	r := recipe.DefaultRestart(recipe.OnFailure)
	if !restartKeys.read(v, "", &r) {
		return
	}
	longest := v.get("maxDelay")
	switch {
	case longest.absent():
		r.MaxDelay = max(r.MaxDelay, r.Delay)
	case r.MaxDelay < r.Delay:
		longest.fail("%s is less than the delay of %s", r.MaxDelay, r.Delay)
	}
	d.Restart = r
}

func readBackoff(v value, r *recipe.Restart) {
	n, ok := v.LValue.(lua.LNumber)
	if f := float64(n); !ok || math.IsNaN(f) || f < 1 || f > maxBackoff {
		v.want(fmt.Sprintf("a number from 1 to %d", maxBackoff))
		return
	}
	r.Backoff = float64(n)
}
