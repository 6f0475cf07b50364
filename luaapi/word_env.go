package luaapi

import (
	"errors"
	"fmt"
	"io/fs"

	lua "github.com/yuin/gopher-lua"
)

func (l *load) env(L *lua.LState) int {
	vars := readVariables(value{L.Get(1), nil, l.declaration(L, "env", "")})
	l.scope.env = l.scope.env.overlay(vars)
	return 0
}

func (l *load) loadDotenv(L *lua.LState) int {
	d := l.declaration(L, "dotenv", "")
	path, ok := value{L.Get(1), nil, d}.text()
	if !ok {
		return 0
	}
	vars, err := l.readDotenv(d, path, l.environment())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.fail(nil, fmt.Sprintf("%s: %v", quote(path), err))
	}
	l.scope.dotenv = l.scope.dotenv.overlay(vars)
	return 0
}

// readEnvFile reads a file that is named in an envFile key.
func (l *load) readEnvFile(v value, env variables) variables {
	path := lua.LVAsString(v.LValue)
	vars, err := l.readDotenv(v.in, path, env)
	if err != nil {
		v.fail("%s: %v", quote(path), err)
	}
	return vars
}

// readDotenv reads a file of variables. A line that cannot be read is told as an error of that file, and is
// no error here.
func (l *load) readDotenv(d *declaration, path string, env variables) (variables, error) {
	path = l.scope.join(path)
	src, err := l.disk.read(path)
	if err != nil {
		return nil, err
	}
	vars, err := parseDotenv(src, env)
	var bad *dotenvError
	if errors.As(err, &bad) {
		l.fault(Error{File: l.shown(path), Line: bad.line, Message: fmt.Sprintf("%s (read by %s, %s:%d)", bad.message, d.subject(), d.at.chunk, d.at.line)})
	}
	return vars, nil
}
