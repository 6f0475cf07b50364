package luaapi

import lua "github.com/yuin/gopher-lua"

// word is one word of the language.
type word struct {
	name  string
	usage string
	help  string
	// run is nil for a word that is no function of ours.
	run func(l *load, L *lua.LState) int
	// always says that it may be used in a hook too; any other only while the recipe loads.
	always bool
}

// words is the list of the words of the language. It is a function, for words run files, which use words.
func words() []word {
	return []word{
		{name: "process", usage: "process NAME { … }", run: declareAs("process"),
			help: "Declares a process. What it returns stands for the process wherever a name may."},
		{name: "job", usage: "job NAME { … }", run: declareAs("job"),
			help: "Declares a process that is expected to end: it is not restarted, and others may depend on its `success`."},
		{name: "env", usage: "env { NAME = \"value\", … }", run: (*load).env,
			help: "Variables for the processes that follow in this recipe and in what it includes; `false` removes one. `os.getenv` sees what a process would that is declared at that point."},
		{name: "dotenv", usage: "dotenv PATH", run: (*load).loadDotenv,
			help: "Variables from a file, for the same processes. It is never an error that the file is absent. `env` wins over it, whichever comes first."},
		{name: "include", usage: "include GLOB", run: (*load).include,
			help: "Reads other recipes in the order of their names. Paths are relative to the recipe that they stand in. A recipe is read once, whoever includes it; a path without `*`, `?` or `[` must exist."},
		{name: "on", usage: "on(EVENT, function(n) … end)", run: (*load).on,
			help: "Words for notifications. Events: `format.success`, `format.failure`, `format.crash`, `format.killed`, `format.log_match`, and `format` for all others. One handler for each."},
		{name: "requires", usage: "requires(\">=0.3\")", run: (*load).requires,
			help: "Refuses the recipe, whatever else is wrong with it, unless prochost has one of these versions."},
		{name: "require", usage: "require NAME",
			help: "Returns a Lua module: `require \"lib.db\"` reads lib/db.lua beside the recipe that was loaded first, `require \"prochost.matchers\"` the library that comes with prochost."},
		{name: "host", usage: "host.os, host.arch, host.dir, host.session, host.version", always: true,
			help: "Facts: system, architecture, the directory of this recipe, the session, the version of prochost."},
		{name: "print", usage: "print(…)", always: true,
			help: "Writes to the host's log."},
	}
}

// install gives the VM its words, each as a global and as a field of the global prochost.
func (l *load) install() {
	L := l.vm.State()
	l.handleMeta = l.newHandleMeta(L)
	l.makeViewsStrict(L)
	fields := map[string]lua.LValue{}
	for _, w := range words() {
		var v lua.LValue
		switch {
		case w.run != nil:
			v = L.NewFunction(func(L *lua.LState) int {
				if !w.always {
					l.onlyWhileLoading(L, w.name)
				}
				return w.run(l, L)
			})
		case w.name == "host":
			v = l.hostFacts(L)
		default: // the VM's own
			fields[w.name] = L.GetGlobal(w.name)
			continue
		}
		fields[w.name] = v
		l.vm.SetGlobal(w.name, v)
	}
	l.vm.SetGlobal("prochost", l.newObject(L, "prochost", fields))
}
