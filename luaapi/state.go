package luaapi

import (
	"fmt"
	"path/filepath"

	"github.com/prochost/prochost/luaapi/vm"
	lua "github.com/yuin/gopher-lua"
)

// load is one run of a recipe in one VM, and what it declared. It is confined to the goroutine of the VM.
type load struct {
	opt   *Options
	disk  *disk
	vm    *vm.VM
	entry string // the entry recipe as it is shown
	dir   string // of the entry recipe

	running      bool // the words that declare may be used
	scope        *scope
	sources      map[string]*source // by chunk
	read         map[string]bool    // recipes, by path: each is read once
	modules      int
	environments int // bytes of those of all processes so far
	prints       int // since the run of the recipe or of a hook began
	handleMeta   *lua.LTable

	named   []*handle          // in order
	handles map[string]*handle // those that have a table, by name
	drafts  []*draft           // in order
	hooks   hooks

	troubles []trouble
	errors   []Error // of files, with a place of their own
	failed   int     // how much went wrong in all
	gate     *Error  // the recipe is for another version: nothing else is told
}

// scope is what `env` and `dotenv` have said so far in one recipe, and where that recipe is. An included
// recipe begins with a copy of what surrounds it, and what it says ends with it.
type scope struct {
	path        string // absolute
	dotenv, env variables
}

func (s *scope) within(path string) *scope {
	return &scope{path: path, dotenv: s.dotenv.overlay(), env: s.env.overlay()}
}

// join returns path as it is meant in this recipe.
func (s *scope) join(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(s.path), path)
}

// shown returns path as messages name it: relative to the entry recipe, with slashes.
func (l *load) shown(path string) string {
	if rel, err := filepath.Rel(l.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// environment is what a process that is declared here inherits.
func (l *load) environment() variables {
	return inherited(l.opt.Env).overlay(l.scope.dotenv, l.scope.env)
}

// getenv is os.getenv: a variable as a process that is declared at this point would have it.
func (l *load) getenv(name string) (string, bool) { return l.environment().lookup(name) }

const (
	maxPrints    = 1000     // texts of one run
	maxPrintText = 16 << 10 // bytes of one text
)

// print passes on what the recipe prints, up to a bound: the host's log is not for floods.
func (l *load) print(text string) {
	if l.opt.Print == nil || l.running && l.disk.again() {
		return // what it says while it loads was said
	}
	switch l.prints++; {
	case l.prints > maxPrints:
		return
	case l.prints == maxPrints:
		text = "(what else is printed in this run is dropped)"
	case len(text) > maxPrintText:
		text = text[:maxPrintText] + " ..."
	}
	l.opt.Print(text)
}

// forget drops what only a load needs.
func (l *load) forget() {
	l.named, l.drafts, l.handles, l.read = nil, nil, nil, nil
	for _, s := range l.sources {
		s.text, s.lines = nil, nil
	}
}

// fault records what is wrong with a file as such.
func (l *load) fault(e Error) {
	l.failed++
	l.errors = append(l.errors, e)
}

// declaration describes the call of word that is running in L.
func (l *load) declaration(L *lua.LState, word, name string) *declaration {
	at, direct := l.caller(L)
	return &declaration{load: l, word: word, name: name, at: at, direct: direct}
}

// caller returns the place in the user's files that led to the running function of Go. direct says that it
// called that function itself.
func (l *load) caller(L *lua.LState) (at place, direct bool) {
	direct = true
	for t := L; t != nil; t = t.Parent {
		for level := 0; ; level++ {
			frame, ok := t.GetStack(level)
			if !ok {
				break
			}
			t.GetInfo("Sl", frame, lua.LNil)
			switch {
			case frame.CurrentLine < 0: // a function of Go
			case l.sources[frame.Source] != nil:
				return place{frame.Source, frame.CurrentLine}, direct
			default: // of the embedded library
				direct = false
			}
		}
	}
	return place{l.shown(l.scope.path), 0}, false
}

// raise ends the running function of Go with an error at the line that called it. It does not return.
func (l *load) raise(L *lua.LState, format string, args ...any) {
	l.vm.Raise(L, 1, fmt.Errorf(format, args...))
}

// onlyWhileLoading raises an error if word is used in a hook.
func (l *load) onlyWhileLoading(L *lua.LState, word string) {
	if !l.running {
		l.raise(L, "%s: only while the recipe loads", word)
	}
}
