package luaapi

import (
	"fmt"
	"slices"

	"github.com/prochost/prochost/luaapi/recipe"
	lua "github.com/yuin/gopher-lua"
)

// MaxProcesses is how many processes a recipe may declare.
const MaxProcesses = 1000

// maxEnvironments bounds the environments of all processes together, in bytes: a few large values, given to
// every process, would be a copy for each.
const maxEnvironments = 256 << 20

// declareAs returns the word process or job: word(NAME) takes the table in a second call, word(NAME, TABLE)
// takes it at once.
func declareAs(word string) func(l *load, L *lua.LState) int {
	return func(l *load, L *lua.LState) int {
		h := &handle{in: l.declaration(L, word, "")}
		l.nameHandle(h, L.Get(1))
		if len(l.named) == MaxProcesses {
			l.raise(L, "%s: a recipe may declare %d processes", h.in.subject(), MaxProcesses)
		}
		l.named = append(l.named, h)
		if L.GetTop() > 1 {
			l.declare(h, h.in, L.Get(2))
		}
		L.Push(l.newHandle(L, h))
		return 1
	}
}

// nameHandle gives h its name, or refuses it.
func (l *load) nameHandle(h *handle, lv lua.LValue) {
	name, ok := lv.(lua.LString)
	if !ok {
		h.state = refused
		h.in.fail(nil, fmt.Sprintf("want a name, got %s", describe(lv)))
		return
	}
	h.name, h.in.name = string(name), string(name)
	if err := checkName(h.name); err != nil {
		h.state = refused
		h.in.fail(nil, err.Error())
	}
}

// declare takes the table of h, which is given at in.
func (l *load) declare(h *handle, in *declaration, lv lua.LValue) {
	switch h.state {
	case refused:
		return
	case declared:
		in.fail(nil, fmt.Sprintf("is declared already, at %s:%d", h.in.at.chunk, h.in.at.line))
		return
	}
	h.state = declared
	if first := l.handles[h.name]; first != nil {
		in.fail(nil, fmt.Sprintf("is declared already, at %s:%d", first.in.at.chunk, first.in.at.line))
		return
	}
	l.handles[h.name] = h
	d := &draft{in: in, cwd: ".", Process: recipe.Process{
		Name: h.name, Where: in.where(), Job: in.word == "job", Auto: true, Restart: recipe.DefaultRestart(recipe.Never),
	}}
	table := value{lv, nil, in}
	if processKeys.read(table, `a table such as { command = "…" }`, d); table.isTable() {
		l.complete(d, table)
	}
	l.drafts = append(l.drafts, d)
}

// complete fills in what a process has from its surroundings, and looks at what its keys say together.
func (l *load) complete(d *draft, table value) {
	if processKeys.lacks(table, "command") {
		d.in.fail(nil, "has no command")
	}
	switch {
	case d.command.absent():
	case d.Run.Argv == nil && d.Run.Shell == nil:
		d.Run.Shell = slices.Clone(l.opt.Shell)
	case d.Run.Argv != nil && !d.shell.absent() && d.stop.line == "":
		d.shell.fail("has no meaning for a command that is a list")
	}
	d.Stop = d.stop.spec(d.Run.Shell, l.opt.Shell)
	if d.Run.Argv != nil {
		d.Run.Shell = nil
	}
	if d.Job && d.Restart.On != recipe.Never {
		d.restart.fail("a job is expected to end, and is not restarted")
	}
	d.Run.Dir = l.scope.join(d.cwd)
	env := l.environment()
	for _, f := range d.envFiles {
		env = env.overlay(l.readEnvFile(f, env))
	}
	env = env.overlay(d.env)
	if l.environments += env.size(); l.environments > maxEnvironments {
		d.in.fail(nil, fmt.Sprintf("the environments of all processes up to this one hold more than %d MiB", maxEnvironments>>20))
	} else {
		d.Run.Env = env.list()
	}
	if d.format != nil {
		l.hooks.add(&hook{key: hookKey{process: d.Name}, label: "format of " + d.in.subject(), at: d.in.at, fn: d.format})
	}
}
