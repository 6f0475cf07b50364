// Command prochost runs the processes of a development stack as a recipe in Lua declares them.
//
// This package parses the command line, wires the parts and sets the exit code. Each verb stands in a file of its
// own and has a row in verbs. What people and programs see of a running host is made in package console; where its
// logs lie is decided in package rundir.
package main

import (
	"os"
)

func main() {
	a := &app{stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ()}
	os.Exit(a.run(os.Args[1:]))
}
