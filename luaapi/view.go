package luaapi

import (
	"reflect"

	"github.com/prochost/prochost/notify"
	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"
)

// view is what a hook gets: a copy of a notify.View made for one call, of which nothing leads back. Lists
// are tables of Lua, so that ipairs and table.concat take them; what is not there is nil.
type view struct {
	Kind      string       `luar:"kind" doc:"string: success, failure, crash, killed, log_match, log_match_suppressed, recipe_error or host_restarted"`
	Attention string       `luar:"attention" doc:"string: turn, context or ignore; to read"`
	Summary   string       `luar:"summary" doc:"string: the built-in words"`
	Process   *processView `luar:"process" doc:"object: what it is about"`
	ExitCode  lua.LValue   `luar:"exitCode" doc:"number or nil: -1 for a process that could not be started"`
	Signal    lua.LValue   `luar:"signal" doc:"string or nil: such as SIGKILL"`
	EndReason lua.LValue   `luar:"endReason" doc:"string or nil: exit, signal, spawn_error, missing_pid or lost"`
	Match     lua.LValue   `luar:"match" doc:"object or nil: of a log match"`
	Tail      *lua.LTable  `luar:"tail" doc:"list of strings: the last lines of output, plain"`
	Time      float64      `luar:"time" doc:"number: of the decision, in seconds since 1970, for os.date"`
}

// processView is empty in a notification that is about no process.
type processView struct {
	ID       string     `luar:"id" doc:"string: of this instance"`
	Name     string     `luar:"name" doc:"string: empty if it is about no process"`
	Command  string     `luar:"command" doc:"string: as one line"`
	Dir      string     `luar:"cwd" doc:"string: absolute"`
	PID      lua.LValue `luar:"pid" doc:"number or nil: nil where nothing ran"`
	Restarts int        `luar:"restarts" doc:"number: restarts before this instance"`
	Uptime   float64    `luar:"uptime" doc:"number: seconds"`
}

type matchView struct {
	Pattern  string      `luar:"pattern" doc:"string: the matcher's"`
	Stream   string      `luar:"stream" doc:"string: stdout or stderr"`
	Line     string      `luar:"line" doc:"string: at most 160 characters of it"`
	Captures *lua.LTable `luar:"captures" doc:"list of strings: of the groups of a regular expression"`
}

// newView copies v into the state L, whose views must be strict.
func newView(L *lua.LState, v notify.View) lua.LValue {
	n := &view{
		Kind: v.Kind, Attention: v.Attention, Summary: v.Summary,
		ExitCode: lua.LNil, Signal: orNil(v.Signal), EndReason: orNil(v.EndReason), Match: lua.LNil,
		Tail: newList(L, v.Tail),
		Time: float64(v.Time.UnixMilli()) / 1000,
		Process: &processView{
			ID: v.Process.ID, Name: v.Process.Name, Command: v.Process.Command, Dir: v.Process.Dir,
			PID: lua.LNil, Restarts: v.Process.Restarts, Uptime: v.Process.Uptime.Seconds(),
		},
	}
	if v.ExitCode != nil {
		n.ExitCode = lua.LNumber(*v.ExitCode)
	}
	if v.Process.PID != 0 {
		n.Process.PID = lua.LNumber(v.Process.PID)
	}
	if m := v.Match; m != nil {
		n.Match = luar.New(L, &matchView{Pattern: m.Pattern, Stream: m.Stream, Line: m.Line, Captures: newList(L, m.Captures)})
	}
	return luar.New(L, n)
}

func orNil(s string) lua.LValue {
	if s == "" {
		return lua.LNil
	}
	return lua.LString(s)
}

func newList(L *lua.LState, list []string) *lua.LTable {
	t := L.CreateTable(len(list), 0)
	for i, s := range list {
		t.RawSetInt(i+1, lua.LString(s))
	}
	return t
}

// makeViewsStrict changes what luar does with the views in L: by itself it answers nil for a misspelt
// field, writes into the struct, and has operators that replace it as a whole.
func (l *load) makeViewsStrict(L *lua.LState) {
	for name, sample := range map[string]any{"n": &view{}, "n.process": &processView{}, "n.match": &matchView{}} {
		mt := luar.MT(L, sample)
		index := mt.RawGetString("__index")
		get := func(L *lua.LState, key string) lua.LValue {
			L.Push(index)
			L.Push(L.Get(1))
			L.Push(lua.LString(key))
			L.Call(2, 1)
			return L.Get(-1)
		}
		for _, operator := range []string{"__pow", "__unm"} {
			mt.RawSetString(operator, lua.LNil)
		}
		l.strict(L, name, fieldNames(reflect.TypeOf(sample).Elem()), get).ForEach(mt.RawSet)
	}
}

func fieldNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("luar"))
	}
	return names
}
