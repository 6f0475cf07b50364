package luaapi

import (
	"fmt"
	"testing"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// changes gives for every key of a process, and every key of its tables, a value and another one.
var changes = map[string]struct{ from, to string }{
	"command":            {from: `"a"`, to: `"b"`},
	"cwd":                {from: `"a"`, to: `"b"`},
	"env":                {from: `{ A = 1 }`, to: `{ A = 2 }`},
	"envFile":            {from: `"one.env"`, to: `"two.env"`},
	"shell":              {from: `"sh"`, to: `"bash"`},
	"stdin":              {from: `"pipe"`, to: `"null"`},
	"pty":                {from: `false`, to: `true`},
	"description":        {from: `"a"`, to: `"b"`},
	"notify":             {from: `{}`, to: `{ onFailure = "ignore" }`},
	"notify.onSuccess":   {from: `"turn"`, to: `"ignore"`},
	"notify.onFailure":   {from: `"turn"`, to: `"ignore"`},
	"notify.onKilled":    {from: `"turn"`, to: `"ignore"`},
	"notify.logMatches":  {from: `{}`, to: `{ { pattern = "a" } }`},
	"format":             {from: `nil`, to: `function() end`},
	"restart":            {from: `"never"`, to: `"always"`},
	"restart.on":         {from: `"failure"`, to: `"always"`},
	"restart.delay":      {from: `"1s"`, to: `"2s"`},
	"restart.backoff":    {from: `1`, to: `2`},
	"restart.maxDelay":   {from: `"5s"`, to: `"10s"`},
	"restart.max":        {from: `1`, to: `2`},
	"restart.healthy":    {from: `"1s"`, to: `"2s"`},
	"stop":               {from: `{}`, to: `{ signal = "INT" }`},
	"stop.signal":        {from: `"INT"`, to: `"QUIT"`},
	"stop.grace":         {from: `"1s"`, to: `"2s"`},
	"stop.parentOnly":    {from: `false`, to: `true`},
	"stop.command":       {from: `"ctl stop"`, to: `{ "ctl", "stop" }`},
	"leftovers":          {from: `"end"`, to: `"keep"`},
	"auto":               {from: `true`, to: `false`},
	"depends":            {from: `{ "db" }`, to: `{ db = "ready" }`},
	"ready":              {from: `nil`, to: `{ log = "a" }`},
	"ready.log":          {from: `"a"`, to: `"b"`},
	"ready.mode":         {from: `"literal"`, to: `"regex"`},
	"successCodes":       {from: `{ 1 }`, to: `{ 2 }`},
	"log":                {from: `{}`, to: `{ cap = "1 MiB" }`},
	"log.cap":            {from: `"1 MiB"`, to: `"1 GiB"`},
	"log.keep":           {from: `2`, to: `3`},
	"turnDelivery":       {from: `"steer"`, to: `"followUp"`},
	"logMatches.pattern": {from: `"a"`, to: `"b"`},
	"logMatches.mode":    {from: `"literal"`, to: `"regex"`},
	"logMatches.stream":  {from: `"stdout"`, to: `"stderr"`},
	"logMatches.repeats": {from: `true`, to: `false`},
	"logMatches.on":      {from: `"turn"`, to: `"context"`},
}

// surroundings are the tables that the keys of changes stand in, with what else is required there.
var surroundings = map[string]string{
	"log": `log = { %s }`, "notify": `notify = { %s }`, "restart": `restart = { %s }`, "stop": `stop = { %s }`,
	"ready": `ready = { log = "x", %s }`, "logMatches": `notify = { logMatches = { { pattern = "x", %s } } }`,
}

// TestChangeOfEveryKey changes each key of a recipe and has what it comes to compared with its row.
func TestChangeOfEveryKey(t *testing.T) {
	tried := 0
	try := func(key string, class recipe.Change, text func(value string) string) {
		t.Run(key, func(t *testing.T) {
			c, ok := changes[key]
			require.True(t, ok, "a key without an example")
			tried++
			process := func(value string) recipe.Process {
				command := `command = "x",`
				if key == "command" {
					command = ""
				}
				p := loadFiles(t, map[string]string{
					"prochost.lua": fmt.Sprintf(`process "db" { command = "x", ready = { log = "x" } } process "p" { %s %s }`, command, text(value)),
					"one.env":      "A=1", "two.env": "A=2",
				})
				one, ok := p.Recipe().Process("p")
				require.True(t, ok)
				one.Run.Dir = one.Run.Dir[len(p.opt.Path)-len("/prochost.lua"):] // each loads from a directory of its own
				return one
			}
			assert.Equal(t, class, recipe.Compare(process(c.from), process(c.to)), "%s → %s", c.from, c.to)
		})
	}
	var within func(name string, class recipe.Change, d documented)
	within = func(name string, class recipe.Change, d documented) {
		for _, k := range d.docs() {
			try(name+"."+k.name, class, func(v string) string { return fmt.Sprintf(surroundings[name], k.name+" = "+v) })
			if k.keys != nil {
				within(k.name, class, k.keys)
			}
		}
	}
	for _, k := range processKeys.docs() {
		try(k.name, k.change, func(v string) string { return k.name + " = " + v })
		if k.keys != nil {
			within(k.name, k.change, k.keys)
		}
	}
	assert.Len(t, changes, tried, "examples of keys that there are not")
}

// TestSameTextIsNoChange loads one recipe twice.
func TestSameTextIsNoChange(t *testing.T) {
	text := `process "p" { command = "x", cwd = "/", env = { A = 1, B = 2 }, depends = { q = "exit", r = "exit" } }
		process "q" { command = "x" } process "r" { command = "x" }`
	a, b := loadText(t, text).Recipe().Processes[0], loadText(t, text).Recipe().Processes[0]
	assert.Equal(t, recipe.Same, recipe.Compare(a, b))
}

// TestCommandForms takes the way from a string to a list for a change too.
func TestCommandForms(t *testing.T) {
	a := loadText(t, `process "p" { command = "a b" }`).Recipe().Processes[0]
	b := loadText(t, `process "p" { command = { "a", "b" } }`).Recipe().Processes[0]
	assert.Equal(t, recipe.ByRestart, recipe.Compare(a, b))
}
