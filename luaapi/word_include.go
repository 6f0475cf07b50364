package luaapi

import (
	"fmt"

	"github.com/prochost/prochost/luaapi/vm"
	lua "github.com/yuin/gopher-lua"
)

// maxRecipes is how many recipes may be read together.
const maxRecipes = MaxProcesses

// include reads other recipes. One that has been read, or is being read, is passed over: recipes that
// include each other, or a pattern that matches its own file, do no harm.
func (l *load) include(L *lua.LState) int {
	d := l.declaration(L, "include", "")
	written, ok := value{L.Get(1), nil, d}.text()
	if !ok {
		return 0
	}
	paths := []string{l.scope.join(written)}
	if isGlob(written) {
		if err := checkGlob(written); err != nil {
			d.fail(nil, fmt.Sprintf("%s: %v", quote(written), err))
			return 0
		}
		paths = l.disk.glob(paths[0])
	}
	for _, path := range paths {
		if l.read[path] {
			continue
		}
		if len(l.read) == maxRecipes {
			l.raise(L, "include %s: %d recipes may be read together", quote(written), maxRecipes)
		}
		src, err := l.disk.read(path)
		if err != nil {
			d.fail(nil, fmt.Sprintf("%s: %v", quote(l.shown(path)), err))
			continue
		}
		if proto := l.compile(path, src); proto != nil {
			l.within(path, func() {
				L.Push(l.vm.Load(proto))
				L.Call(0, 0)
			})
		}
	}
	return 0
}

// within runs f with path as the recipe that is being read.
func (l *load) within(path string, f func()) {
	around := l.scope
	defer func() { l.scope = around }() // f may end in an error that somebody catches
	l.scope = around.within(path)
	f()
}

// compile makes a function of a recipe, or records why it cannot be one.
func (l *load) compile(path string, src []byte) *lua.FunctionProto {
	l.read[path] = true
	chunk := l.shown(path)
	l.sources[chunk] = &source{path: path, text: src}
	proto, err := vm.Compile(src, chunk)
	if err != nil {
		l.fault(syntaxError(chunk, err))
	}
	return proto
}
