// Command prochost runs the processes of a development stack as a recipe in Lua declares them.
//
// This package parses the command line, wires the parts and sets the exit code. Each verb stands in a file of its
// own and has a row in verbs. What people and programs see of a running host is made in package console; where its
// logs lie is decided in package rundir.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ()}
	a.reach = sockets{a}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // so that a write tells that nobody reads, and does not kill
	os.Exit(a.run(os.Args[1:]))
}
