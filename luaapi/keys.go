package luaapi

import (
	"cmp"
	"slices"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager/proc"
	lua "github.com/yuin/gopher-lua"
)

// draft is a process as its table was read, before what surrounds it is known.
type draft struct {
	recipe.Process
	in *declaration

	command  value // as it was written, for what is found later
	cwd      string
	env      variables
	envFiles []value
	shell    value
	restart  value
	stop     stopDraft
	depends  []dependency
	format   *lua.LFunction
}

// processKeys are the keys of a process.
var processKeys = schema[draft]{
	{name: "command", also: []string{"cmd", "run", "exec", "script", "argv"}, typ: "string or list of strings", change: recipe.ByRestart,
		help: "What to run. A string is for the shell, as it is; a list is a program and its arguments, run without a shell.",
		read: readCommand},
	{name: "cwd", also: []string{"dir", "directory", "workdir", "working_dir", "workingDir"}, typ: "string", change: recipe.ByRestart,
		help: "The directory to run in, relative to the recipe that declares it. Default: the directory of that recipe.",
		read: func(v value, d *draft) { d.cwd, _ = v.text() }},
	{name: "env", also: []string{"environment", "vars"}, typ: "table of strings, numbers or false", change: recipe.ByRestart,
		help: "Variables of its environment. `false` removes one that it would inherit.",
		read: func(v value, d *draft) { d.env = readVariables(v) }},
	{name: "envFile", also: []string{"env_file", "envfile", "dotenv"}, typ: "string or list of strings", change: recipe.ByRestart,
		help: "Files of variables, relative to the recipe; later ones win, and `env` wins over them. They must exist.",
		read: func(v value, d *draft) { d.envFiles = readPaths(v) }},
	{name: "shell", typ: "string or list of strings", change: recipe.ByRestart,
		help: "The shell for a command that is a string: a program, which is given `-c`, or a list of the program and its flags.",
		read: readShell},
	{name: "stdin", typ: `"pipe" or "null"`, change: recipe.ByRestart,
		help: "What it reads: a pipe that is held open, or its terminal (the default), or the null device.",
		read: func(v value, d *draft) {
			if i, ok := v.word("pipe", "null"); ok {
				d.Run.Stdin = proc.Stdin(i)
			}
		}},
	{name: "pty", also: []string{"tty", "terminal", "isTty", "is_tty", "interactive"}, typ: "boolean", change: recipe.ByRestart,
		help: "`true`: it runs on a terminal of its own, of 24 lines of 80 columns, and what it writes is one stream, stdout. Default: false.",
		read: func(v value, d *draft) { d.Run.PTY, _ = v.boolean() }},
	{name: "description", also: []string{"desc", "help"}, typ: "string", change: recipe.AtOnce,
		help: "A few words for listings.",
		read: func(v value, d *draft) { d.Description, _ = v.str() }},
	{name: "notify", also: []string{"notifications"}, typ: "table", change: recipe.AtOnce, keys: notifyKeys,
		help: "What is told about it, and how loudly. A failure is always told.",
		read: func(v value, d *draft) { notifyKeys.read(v, "a table", &d.Notify) }},
	{name: "format", typ: "function", change: recipe.AtOnce,
		help: "The words of its notifications; asked before the handlers of `on`.",
		read: readFormat},
	{name: "restart", also: []string{"restarts", "restartPolicy", "retry"}, typ: `"never", "failure", "always" or table`, change: recipe.AtOnce, keys: restartKeys,
		help: "When it is started again after it ended by itself. Default: never. Every end is told all the same.",
		read: readRestart},
	{name: "stop", also: []string{"shutdown", "kill"}, typ: "table", change: recipe.AtOnce, keys: stopKeys,
		help: "How it is stopped.",
		read: func(v value, d *draft) { stopKeys.read(v, "a table", &d.stop) }},
	{name: "leftovers", also: []string{"orphans", "children", "killMode"}, typ: `"end" or "keep"`, change: recipe.AtOnce,
		help: "What becomes of processes that it leaves behind when it ends by itself: they are ended (the default: SIGTERM, and after a second SIGKILL), or left alone. A stop ends them in any case.",
		read: func(v value, d *draft) {
			if i, ok := v.word("end", "keep"); ok {
				d.Leftovers = proc.Leftovers(i)
			}
		}},
	{name: "auto", also: []string{"autostart", "autoStart", "disabled", "enabled"}, typ: "boolean", change: recipe.AtNextStart,
		help: "`false`: it is declared, and runs when it is named or something needs it. Default: true.",
		read: func(v value, d *draft) { d.Auto, _ = v.boolean() }},
	{name: "depends", also: []string{"depends_on", "dependsOn", "deps", "needs", "after", "requires"}, typ: "table", change: recipe.AtNextStart,
		help: "What must be true before it starts: names (or what `process` returned) as keys, each with `\"started\"`, `\"ready\"`, `\"success\"` or `\"exit\"`. A list of names means started.",
		read: func(v value, d *draft) { d.depends = readDepends(v) }},
	{name: "ready", also: []string{"readiness", "healthcheck", "health"}, typ: "table", change: recipe.AtNextStart, keys: readyKeys,
		help: "How it is seen that it is ready.",
		read: func(v value, d *draft) { d.Ready = readReady(v) }},
	{name: "successCodes", also: []string{"success_codes", "exitCodes", "exit_codes"}, typ: "list of whole numbers from 0 to 255", change: recipe.AtNextStart,
		help: "Exit codes beside 0 that count as success.",
		read: readSuccessCodes},
	{name: "log", also: []string{"logs", "logging", "log_configuration"}, typ: "table", change: recipe.AtNextStart, keys: logKeys,
		help: "How much of its output is kept.",
		read: func(v value, d *draft) { logKeys.read(v, `a table such as { cap = "64 MiB" }`, &d.Log) }},
	{name: "turnDelivery", typ: `"steer" or "followUp"`, change: recipe.AtNextStart,
		help: "When a notification of its end that wakes an agent reaches a busy one: after its current tool calls (the default), or when its run has settled.",
		read: func(v value, d *draft) {
			if i, ok := v.word("steer", "followUp"); ok {
				d.TurnDelivery = proc.Turn(i)
			}
		}},
}

// process returns what was read, once it is known that all of it is good.
func (d *draft) process() recipe.Process {
	p := d.Process
	for _, dep := range d.depends {
		p.Depends = append(p.Depends, dep.Dependency)
	}
	slices.SortFunc(p.Depends, func(a, b recipe.Dependency) int { return cmp.Compare(a.Name, b.Name) })
	return p
}
