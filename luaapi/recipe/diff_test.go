package recipe

import (
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sample() Process {
	return Process{
		Name:        "api",
		Where:       Place{File: "/p/prochost.lua", Line: 3},
		Run:         Run{Command: "go run .", Shell: []string{"sh", "-c"}, Dir: "/p", Env: []string{"A=1", "B=2"}},
		Description: "the api",
		Notify:      notify.Config{LogMatches: []notify.Matcher{{Pattern: "panic"}, {Pattern: "fatal"}}},
		Restart:     DefaultRestart(OnFailure),
		Auto:        true,
		Depends:     []Dependency{{Name: "db", Condition: OnReady}, {Name: "migrate", Condition: OnSuccess}},
		Ready:       &Ready{Log: "listening"},
		SuccessCodes: []int{
			3, 4,
		},
	}
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Process)
		want   Change
	}{
		"nothing":                 {func(p *Process) {}, Same},
		"place":                   {func(p *Process) { p.Where.Line = 9 }, Same},
		"order of env":            {func(p *Process) { p.Run.Env = []string{"B=2", "A=1"} }, Same},
		"order of depends":        {func(p *Process) { p.Depends[0], p.Depends[1] = p.Depends[1], p.Depends[0] }, Same},
		"order of success codes":  {func(p *Process) { p.SuccessCodes = []int{4, 3} }, Same},
		"the default stop spelt":  {func(p *Process) { p.Stop = proc.StopSpec{Signal: syscall.SIGTERM, Grace: proc.DefaultGrace} }, Same},
		"equal ready elsewhere":   {func(p *Process) { p.Ready = &Ready{Log: "listening"} }, Same},
		"command":                 {func(p *Process) { p.Run.Command = "go run ./api" }, ByRestart},
		"command as list":         {func(p *Process) { p.Run.Command, p.Run.Argv = "", []string{"go", "run", "."} }, ByRestart},
		"shell":                   {func(p *Process) { p.Run.Shell = []string{"bash", "-c"} }, ByRestart},
		"dir":                     {func(p *Process) { p.Run.Dir = "/p/api" }, ByRestart},
		"env value":               {func(p *Process) { p.Run.Env = []string{"A=1", "B=3"} }, ByRestart},
		"env removed":             {func(p *Process) { p.Run.Env = []string{"A=1"} }, ByRestart},
		"env repeated":            {func(p *Process) { p.Run.Env = []string{"A=1", "A=1"} }, ByRestart},
		"stdin":                   {func(p *Process) { p.Run.Stdin = proc.StdinNull }, ByRestart},
		"terminal":                {func(p *Process) { p.Run.PTY = true }, ByRestart},
		"description":             {func(p *Process) { p.Description = "" }, AtOnce},
		"attention":               {func(p *Process) { p.Notify.OnFailure = notify.WishIgnore }, AtOnce},
		"matcher":                 {func(p *Process) { p.Notify.LogMatches = p.Notify.LogMatches[:1] }, AtOnce},
		"order of matchers":       {func(p *Process) { p.Notify.LogMatches = []notify.Matcher{{Pattern: "fatal"}, {Pattern: "panic"}} }, AtOnce},
		"words":                   {func(p *Process) { p.Words = true }, AtOnce},
		"restart":                 {func(p *Process) { p.Restart.Max = 5 }, AtOnce},
		"stop":                    {func(p *Process) { p.Stop.Grace = time.Second }, AtOnce},
		"whom the stop is for":    {func(p *Process) { p.Stop.ParentOnly = true }, AtOnce},
		"stop command":            {func(p *Process) { p.Stop.Command = []string{"ctl", "stop"} }, AtOnce},
		"leftovers":               {func(p *Process) { p.Leftovers = proc.KeepLeftovers }, AtOnce},
		"auto":                    {func(p *Process) { p.Auto = false }, AtNextStart},
		"job":                     {func(p *Process) { p.Job = true }, AtNextStart},
		"condition":               {func(p *Process) { p.Depends[0].Condition = OnExit }, AtNextStart},
		"ready":                   {func(p *Process) { p.Ready = nil }, AtNextStart},
		"ready's pattern":         {func(p *Process) { p.Ready = &Ready{Log: "up"} }, AtNextStart},
		"success codes":           {func(p *Process) { p.SuccessCodes = []int{3} }, AtNextStart},
		"log cap":                 {func(p *Process) { p.Log.Cap = 1 << 20 }, AtNextStart},
		"log files":               {func(p *Process) { p.Log.Keep = 5 }, AtNextStart},
		"turn delivery":           {func(p *Process) { p.TurnDelivery = proc.FollowUp }, AtNextStart},
		"restart outweighs live":  {func(p *Process) { p.Run.Dir, p.Description = "/", "" }, ByRestart},
		"live outweighs the next": {func(p *Process) { p.Auto, p.Description = false, "" }, AtOnce},
	} {
		t.Run(name, func(t *testing.T) {
			p := sample()
			c.change(&p)
			assert.Equal(t, c.want, Compare(sample(), p))
			assert.Equal(t, c.want, Compare(p, sample()), "the other way round")
		})
	}
}

// TestCompareSeesEveryField sets each field of a zero process to something else: a field that Compare does
// not look at would be a change that a reload drops.
func TestCompareSeesEveryField(t *testing.T) {
	blind := map[string]bool{"Name": true, "Where": true} // what it is matched by, and where it is written
	var walk func(t *testing.T, at []int, path string)
	walk = func(t *testing.T, at []int, path string) {
		v := reflect.ValueOf(&Process{}).Elem()
		if len(at) > 0 {
			v = v.FieldByIndex(at)
		}
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				if f := v.Type().Field(i); !blind[path+f.Name] {
					walk(t, append(at[:len(at):len(at)], i), path+f.Name+".")
				}
			}
			return
		}
		var p Process
		v = reflect.ValueOf(&p).Elem().FieldByIndex(at)
		switch v.Kind() {
		case reflect.String:
			v.SetString("other")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int, reflect.Int64:
			v.SetInt(2)
		case reflect.Uint8:
			v.SetUint(1)
		case reflect.Float64:
			v.SetFloat(2)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		default:
			require.Fail(t, "no other value", "of %s, a %s", path, v.Kind())
		}
		assert.NotEqual(t, Same, Compare(Process{}, p), path)
	}
	walk(t, nil, "")
}

func TestDiff(t *testing.T) {
	named := func(name string, change func(*Process)) Process {
		p := sample()
		p.Name = name
		if change != nil {
			change(&p)
		}
		return p
	}
	old := Recipe{Processes: []Process{named("gone", nil), named("kept", nil), named("moved", nil), named("live", nil), named("later", nil), named("before", nil)}}
	next := Recipe{Processes: []Process{
		named("after", nil), // "before", renamed
		named("later", func(p *Process) { p.Auto = false }),
		named("live", func(p *Process) { p.Description = "x" }),
		named("kept", func(p *Process) { p.Where.Line++ }),
		named("moved", func(p *Process) { p.Run.Dir = "/elsewhere" }),
	}}
	assert.Equal(t, Plan{
		Added:     []string{"after"},
		Removed:   []string{"gone", "before"},
		Restarted: []string{"moved"},
		Updated:   []string{"later", "live"},
		Kept:      []string{"kept"},
	}, Diff(old, next))

	assert.True(t, Diff(old, old).Empty())
	assert.False(t, Diff(old, next).Empty())
	assert.Equal(t, Plan{Removed: []string{"gone", "kept", "moved", "live", "later", "before"}}, Diff(old, Recipe{}))
	assert.Len(t, Diff(Recipe{}, next).Added, 5)
}
