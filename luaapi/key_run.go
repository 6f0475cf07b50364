package luaapi

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// readCommand takes a string for the shell or a list.
func readCommand(v value, d *draft) {
	d.command = v
	d.Run.Command, d.Run.Argv = readProgramOrLine(v)
}

// readProgramOrLine takes a string for a shell, or a list of a program and its arguments.
func readProgramOrLine(v value) (line string, argv []string) {
	switch v.LValue.(type) {
	case *lua.LTable:
		argv = readProgram(v)
	case lua.LString:
		line, _ = v.text()
	default:
		v.want("a string or a list of strings")
	}
	return line, argv
}

// readProgram takes a list of a program and its arguments.
func readProgram(v value) (argv []string) {
	elements, ok := v.list("a list of strings")
	if !ok {
		return nil
	}
	if len(elements) == 0 {
		v.fail("is an empty list")
	}
	for i, e := range elements {
		read := e.str
		if i == 0 {
			read = e.text
		}
		s, _ := read()
		argv = append(argv, s)
	}
	return argv
}

func readShell(v value, d *draft) {
	d.shell = v
	if _, isTable := v.LValue.(*lua.LTable); isTable {
		d.Run.Shell = readProgram(v)
		return
	}
	s, ok := v.text()
	switch {
	case !ok:
	case strings.ContainsAny(s, " \t\n"):
		v.fail("a shell with flags is a list, such as { %s }", strings.Join(quoteEach(append(strings.Fields(s), "-c")), ", "))
	default:
		d.Run.Shell = []string{s, "-c"}
	}
}

func readFormat(v value, d *draft) {
	fn, ok := v.LValue.(*lua.LFunction)
	if !ok {
		v.want("a function")
		return
	}
	d.format, d.Words = fn, true
}

func readSuccessCodes(v value, d *draft) {
	elements, _ := v.list("a list of exit codes")
	for _, e := range elements {
		if code, ok := e.integer(0, 255); ok {
			d.SuccessCodes = append(d.SuccessCodes, code)
		}
	}
}

// readPaths takes a string or a list of strings.
func readPaths(v value) (paths []value) {
	if _, isTable := v.LValue.(*lua.LTable); !isTable {
		if _, isString := v.LValue.(lua.LString); !isString {
			v.want("a string or a list of strings")
			return nil
		}
		paths = []value{v}
	} else {
		paths, _ = v.list("a list of strings")
	}
	good := paths[:0]
	for _, p := range paths {
		if _, ok := p.text(); ok {
			good = append(good, p)
		}
	}
	return good
}
