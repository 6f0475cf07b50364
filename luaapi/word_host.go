package luaapi

import (
	"fmt"
	"runtime"

	"github.com/Masterminds/semver/v3"
	lua "github.com/yuin/gopher-lua"
)

// hostFacts is the object host.
func (l *load) hostFacts(L *lua.LState) lua.LValue {
	return l.newObject(L, "host", map[string]lua.LValue{
		"os":      lua.LString(runtime.GOOS),
		"arch":    lua.LString(runtime.GOARCH),
		"dir":     lua.LString(l.dir),
		"session": lua.LString(l.opt.Session),
		"version": lua.LString(l.opt.Version),
	})
}

// requires ends the load unless the version of the host is one of those wanted. Nothing else that is wrong
// is told then: it may be right for the version that the recipe was written for.
func (l *load) requires(L *lua.LState) int {
	d := l.declaration(L, "requires", "")
	wanted, ok := value{L.Get(1), nil, d}.text()
	if !ok {
		return 0
	}
	accepted, err := semver.NewConstraint(wanted)
	if err != nil {
		d.fail(nil, fmt.Sprintf(`want versions such as ">=0.3", got %s`, quote(wanted)))
		return 0
	}
	have, err := semver.NewVersion(l.opt.Version)
	if err != nil {
		return 0 // built from a checkout, which has no version
	}
	release, _ := have.SetPrerelease("") // 0.3.0-rc1 has what 0.3 has
	if accepted.Check(&release) {
		return 0
	}
	l.gate = &Error{File: d.at.chunk, Line: d.at.line, Message: fmt.Sprintf("requires prochost %s, this is %s", wanted, l.opt.Version)}
	l.raise(L, "%s", l.gate.Message)
	return 0
}
