package luaapi

import (
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/manager/proc"
	lua "github.com/yuin/gopher-lua"
	"golang.org/x/sys/unix"
)

// stopDraft is a stop as it was read. Whose shell a command that is a string is for is known later.
type stopDraft struct {
	proc.StopSpec
	line string
}

// spec returns the stop, with the shell of the process or else the default one for its command.
func (s stopDraft) spec(shell, fallback []string) proc.StopSpec {
	if s.line != "" {
		if len(shell) == 0 {
			shell = fallback
		}
		s.Command = append(slices.Clone(shell), s.line)
	}
	return s.StopSpec
}

var stopKeys = schema[stopDraft]{
	{name: "signal", typ: "string",
		help: "The signal that asks for the end, with or without SIG. Default: TERM. With a command it is sent if that fails.",
		read: func(v value, s *stopDraft) { readSignal(v, s) }},
	{name: "grace", also: []string{"timeout", "wait", "gracePeriod"}, typ: "duration",
		help: "The time until SIGKILL. Default: 5s.",
		read: func(v value, s *stopDraft) {
			s.Grace, _ = v.duration(time.Millisecond) // zero would mean the default
		}},
	{name: "parentOnly", also: []string{"parent_only", "parent", "leaderOnly", "onlyParent"}, typ: "boolean",
		help: "`true`: the signal goes to the process itself and not to those that it started, for one that ends its own children. Who still lives when the grace is over gets SIGKILL. Default: false.",
		read: func(v value, s *stopDraft) { s.ParentOnly, _ = v.boolean() }},
	{name: "command", also: []string{"cmd", "run", "exec", "script"}, typ: "string or list of strings",
		help: "What is run to end it in place of the signal, in its directory and environment; its process id is in PROCHOST_PID. It has the grace to end in.",
		read: func(v value, s *stopDraft) { s.line, s.Command = readProgramOrLine(v) }},
}

func readSignal(v value, s *stopDraft) {
	name, ok := v.LValue.(lua.LString)
	if !ok {
		v.want(`the name of a signal such as "INT"`)
		return
	}
	upper := "SIG" + strings.TrimPrefix(strings.ToUpper(string(name)), "SIG")
	if s.Signal = unix.SignalNum(upper); s.Signal == 0 {
		v.fail("unknown signal %s%s", quote(string(name)), didYouMean(strings.TrimPrefix(upper, "SIG"), signalNames()))
	}
}

// signalNames returns the names of this system without SIG.
func signalNames() (names []string) {
	for n := range 65 {
		if name := unix.SignalName(unix.Signal(n)); name != "" {
			names = append(names, strings.TrimPrefix(name, "SIG"))
		}
	}
	return names
}
